import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dynamoDbLocalFile, startDynamoDbLocal } from './dynamodb-local.ts';
import { dynoxideFile, findDynoxide, startDynoxide } from './dynoxide.ts';
import type { Engine, EngineOptions } from './engine-process.ts';
import { NoJava } from './java-problems.ts';

/**
 * Starts DynamoDB Local, or Dynoxide if no usable Java version is installed. If the folder contains
 * data, starts the engine that wrote it, because the other engine would start with an empty table.
 *
 * @throws NoJava if no usable Java version is installed and Dynoxide cannot read the data or run on
 * this platform
 */
export async function startTableEngine(
  options: EngineOptions,
  warn: (line: string) => void,
): Promise<Engine> {
  const { directory } = options;
  const hasFile = (file: string) => directory !== undefined && existsSync(join(directory, file));
  const dynoxide = hasFile(dynamoDbLocalFile) ? undefined : findDynoxide();
  if (dynoxide && hasFile(dynoxideFile)) return startDynoxide(dynoxide, options);
  try {
    return await startDynamoDbLocal({ ...options, shared: true });
  } catch (error) {
    if (!dynoxide || !(error instanceof NoJava)) throw error;
    warn('Java 17 or newer is missing, so the table runs on Dynoxide instead of DynamoDB Local.');
    return startDynoxide(dynoxide, options);
  }
}
