import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { credentialSource } from '../../shared/signing/credentials.ts';
import type { RunningStage } from './running-stage.ts';

/**
 * Configures the functions' table code for the table of a stage. For a deployed stage, uses the
 * credentials and region of the AWS CLI. Must be called before the table code is loaded.
 */
export async function setTableEnvironment({ output, dynamodb }: RunningStage): Promise<void> {
  const { config } = new DynamoDBClient(dynamodb);
  credentialSource.read = () => config.credentials();
  Object.assign(process.env, {
    TABLE_NAME: output('TableName'),
    AWS_REGION: await config.region(),
    ...(dynamodb.endpoint && { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint }),
  });
}
