import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { credentialSource } from '../../shared/signing/credentials.ts';
import type { RunningStage } from './running-stage.ts';

/**
 * Makes the table code of the functions use the table of a stage: for a deployed one, with the
 * credentials and region of the AWS CLI. Call this before loading that code.
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
