import type { Construct } from 'constructs';
import type { Operation } from '../../../shared/contract/operation.ts';
import {
  createAttachment,
  listEvents,
  retrieveAttachment,
  retrieveLive,
} from '../../../shared/contract/operations.ts';
import { getFunctionPath } from '../../function-paths.ts';
import { type Stage, scansFiles } from '../../stages.ts';
import type { FileBucket } from '../file-bucket.ts';
import { MessagingFunction } from '../messaging-function.ts';
import type { TableInUse } from '../messaging-table.ts';
import type { PushApi } from '../push-api.ts';
import { createTableStatements } from './table-statements.ts';

export interface OperationFunctionProps {
  stage: Stage;
  /** One or more operations that share a function (see `getFunctionPath`). */
  operations: readonly Operation[];
  table: TableInUse;
  bundles: string;
  /** Push API; undefined in a stage without events. */
  push: PushApi | undefined;
  /** File bucket; undefined in a stage without attachments. */
  files: FileBucket | undefined;
}

/**
 * Function of one or more operations. The contract determines the function's source file and
 * permissions.
 */
export class OperationFunction extends MessagingFunction {
  readonly operations: readonly Operation[];

  constructor(scope: Construct, props: OperationFunctionProps) {
    const { stage, operations, table, bundles, push, files } = props;
    const path = getPath(operations);
    const bucketCalls = mergeBucketCalls(operations);
    const limits = stage.firewall?.requestsPerMinute;
    const serves = ({ id }: Operation) => operations.some((one) => one.id === id);
    super(scope, constructId(path), {
      stage,
      path,
      bundles,
      description: describe(path, operations),
      environment: {
        TABLE_NAME: table.tableName,
        ALLOWED_ORIGINS: stage.allowedOrigins.join(','),
        ...(limits && { REQUESTS_PER_MINUTE_PER_PERSON: String(limits.perPerson) }),
        ...(stage.docs && { ERRORS_PAGE: stage.docs.errorsPage }),
        ...(bucketCalls.fileCalls.length > 0 && files?.environment),
        ...(serves(createAttachment) && toUploadEnvironment(stage)),
        ...(serves(retrieveAttachment) && toDownloadEnvironment(stage)),
        ...(operations.some(({ feature }) => feature === 'events') && push?.feedsEnvironment),
        ...(serves(listEvents) && push?.receiptsEnvironment),
        ...(serves(retrieveLive) && push?.listenerEnvironment),
      },
      statements: [
        ...createTableStatements(
          [
            ...operations.map(({ calls }) => calls),
            ...(limits ? [{ requestCounts: ['UpdateItem'] as const }] : []),
          ],
          table.tableArn,
        ),
        ...(files?.createStatements(bucketCalls) ?? []),
      ],
    });
    if (bucketCalls.fileCalls.length > 0) files?.acknowledgeKeys(constructId(path), bucketCalls);
    this.operations = operations;
  }

  override get loggedOperations(): readonly string[] {
    return this.operations.map(({ id }) => id);
  }
}

function getPath(operations: readonly Operation[]): string {
  const [path = '', ...others] = new Set(operations.map(getFunctionPath));
  if (others.length > 0) throw new Error(`A function has several source files: ${path}, ${others}`);
  return path;
}

/**
 * Returns the description by which `verify` finds the function. Lambda accepts at most 256
 * characters.
 */
const describe = (path: string, operations: readonly Operation[]): string =>
  `${path}: ${operations.map(({ summary }) => summary).join(', ')}`;

const mergeBucketCalls = (operations: readonly Operation[]) => ({
  fileCalls: [...new Set(operations.flatMap(({ fileCalls = [] }) => fileCalls))],
  thumbnailCalls: [...new Set(operations.flatMap(({ thumbnailCalls = [] }) => thumbnailCalls))],
});

function toUploadEnvironment(stage: Stage): Record<string, string> {
  const { types = undefined } = stage.attachments || {};
  return {
    ...(types && { FILE_TYPES: types.join(',') }),
    ...(scansFiles(stage) && { SCANS_FILES: 'true' }),
  };
}

function toDownloadEnvironment(stage: Stage): Record<string, string> {
  const { servesUnscanned = !scansFiles(stage) } = stage.attachments || {};
  return servesUnscanned ? { SERVES_UNSCANNED: 'true' } : {};
}

/** Returns the construct id for a path, such as `MessagesSend` for `messages/send`. */
const constructId = (path: string) =>
  path.replace(/(?:^|\/)(\w)/g, (_, letter: string) => letter.toUpperCase());
