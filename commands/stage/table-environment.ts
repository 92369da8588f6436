import type { RunningStage } from './running-stage.ts';

/**
 * Sets the environment variables that the table code reads in a function, so that it uses the table
 * of a stage. Call this before loading that code. For a deployed stage, uses the credentials of the
 * AWS CLI.
 */
export function setTableEnvironment({ output, dynamodb }: RunningStage): void {
  const { endpoint, region, credentials } = dynamodb;
  // A profile would take precedence over these keys.
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
