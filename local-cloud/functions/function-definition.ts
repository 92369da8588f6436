import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import type { Stack } from '../stack/read-stack.ts';
import { type LogLevel, logLevels } from './thread-console.ts';

export interface FunctionDefinition {
  /** Logical id in the template. */
  id: string;
  name: string;
  arn: string;
  roleArn: string;
  /** Entry point as `file.export`, relative to `folder`. */
  handler: string;
  folder: string;
  timeoutSeconds: number;
  memoryMegabytes: number;
  variables: Readonly<Record<string, string>>;
  /** Minimum log level in the JSON log format; undefined in the text format. */
  jsonLogLevel: LogLevel | undefined;
}

const FunctionProperties = v.strictObject({
  FunctionName: v.optional(v.string()),
  Handler: v.string(),
  Role: v.string(),
  Runtime: v.pipe(v.string(), v.startsWith('nodejs')),
  Code: v.strictObject({ S3Bucket: v.optional(v.string()), S3Key: v.string() }),
  Timeout: v.optional(v.number(), 3),
  MemorySize: v.optional(v.number(), 128),
  Environment: v.optional(
    v.strictObject({ Variables: v.optional(v.record(v.string(), v.string()), {}) }),
    {},
  ),
  LoggingConfig: v.optional(
    v.strictObject({
      LogFormat: v.optional(v.picklist(['Text', 'JSON'])),
      LogGroup: v.optional(v.unknown()),
      ApplicationLogLevel: v.optional(v.picklist(logLevels)),
      SystemLogLevel: v.optional(v.unknown()),
    }),
    {},
  ),
  // Ignored: these properties concern deployment, monitoring, failed events, concurrency or price.
  DeadLetterConfig: v.optional(v.unknown()),
  Architectures: v.optional(v.unknown()),
  Description: v.optional(v.string()),
  ReservedConcurrentExecutions: v.optional(v.unknown()),
  Tags: v.optional(v.unknown()),
  TracingConfig: v.optional(v.unknown()),
  // Ignored: functions on this machine can always reach the internet.
  VpcConfig: v.optional(v.unknown()),
});

/**
 * Returns the stack's functions. Throws a Problem if a bundle is missing in the folder `assets`.
 */
export const getFunctions = (stack: Stack, assets: string): FunctionDefinition[] =>
  stack
    .resources('AWS::Lambda::Function', FunctionProperties)
    .map(({ id, ref, attributes, properties }) => ({
      id,
      name: ref,
      arn: attributes.Arn ?? ref,
      roleArn: properties.Role,
      handler: properties.Handler,
      folder: findAssetFolder(id, assets, properties.Code.S3Key),
      timeoutSeconds: properties.Timeout,
      memoryMegabytes: properties.MemorySize,
      variables: properties.Environment.Variables ?? {},
      jsonLogLevel:
        properties.LoggingConfig.LogFormat === 'JSON'
          ? (properties.LoggingConfig.ApplicationLogLevel ?? 'INFO')
          : undefined,
    }));

function findAssetFolder(id: string, assets: string, key: string): string {
  const folder = join(assets, `asset.${key.replace(/\.zip$/, '')}`);
  if (!existsSync(folder)) throw new Problem(`${id}: missing bundle ${folder}`);
  return folder;
}
