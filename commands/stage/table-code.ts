import type { RunningStage } from './stage.ts';

/**
 * Has the table's code, which knows its table by variables as in a function, work on that of a stage: to be called before
 * that code is loaded. A deployed stage's is reached as the AWS CLI would.
 */
export function useTableOf({ output, dynamodb }: RunningStage): void {
  const { endpoint, region, credentials } = dynamodb;
  // Of two ways to say who one is, a profile would count more.
  if (credentials) delete process.env.AWS_PROFILE;
  Object.assign(process.env, {
    TABLE_NAME: output('TableName'),
    ...(endpoint && { AWS_ENDPOINT_URL_DYNAMODB: endpoint }),
    ...(region && { AWS_REGION: region }),
    ...(credentials && {
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }),
  });
}
