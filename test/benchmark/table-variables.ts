import { toLocalServiceConfig } from '../../commands/stage/running-stage.ts';
import { functionVariables } from '../support/setup/function-variables.ts';

/** Sets the environment variables that the table module reads on import. */
export function setTableVariables(table: { tableEndpoint: string; tableName: string }): void {
  const { endpoint, region, credentials } = toLocalServiceConfig(table.tableEndpoint);
  Object.assign(process.env, {
    ...functionVariables,
    TABLE_NAME: table.tableName,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials?.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey,
  });
}
