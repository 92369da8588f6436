import { devNull } from 'node:os';
import { region } from '../account.ts';
import { secretAccessKey } from '../stack/caller.ts';
import type { FunctionDefinition } from './function-definition.ts';

export interface Connection {
  accessKey: string;
  /** Endpoint of the table proxy. */
  tableEndpoint: string;
  /** Replacement values for the template's environment variables, by name. */
  overrides: Readonly<Record<string, string>>;
}

/**
 * Returns the template's variables after overrides, and the variables that Lambda's runtime sets.
 */
export const getEnvironmentVariables = (
  { name, handler, memoryMegabytes, variables, folder }: FunctionDefinition,
  { accessKey, tableEndpoint, overrides: replacements }: Connection,
): Record<string, string> => ({
  ...overrideVariables(variables, replacements),
  AWS_ACCESS_KEY_ID: accessKey,
  AWS_DEFAULT_REGION: region,
  AWS_ENDPOINT_URL_DYNAMODB: tableEndpoint,
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
  AWS_LAMBDA_FUNCTION_NAME: name,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
  AWS_LAMBDA_LOG_STREAM_NAME: 'local',
  AWS_REGION: region,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: 'local',
  LAMBDA_TASK_ROOT: folder,
  LANG: 'en_US.UTF-8',
  TZ: ':UTC',
  _HANDLER: handler,
  // Prevents the SDK from reading the developer's AWS profile.
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
});

const overrideVariables = (
  variables: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
) =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, values[name] ?? value]),
  );
