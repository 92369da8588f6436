import type { Construct } from 'constructs';
import type { Operation } from '../../../shared/contract/operation.ts';
import {
  createAttachment,
  listEvents,
  retrieveAttachment,
  retrieveLive,
} from '../../../shared/contract/operations.ts';
import { type Stage, scansFiles } from '../../stages.ts';
import type { FileBucket } from '../file-bucket.ts';
import { MessagingFunction } from '../messaging-function.ts';
import type { TableInUse } from '../messaging-table.ts';
import type { PushApi } from '../push-api.ts';
import { createTableStatements } from './table-statements.ts';

export interface OperationFunctionProps {
  stage: Stage;
  operation: Operation;
  table: TableInUse;
  bundles: string;
  /** Push API; undefined in a stage without events. */
  push: PushApi | undefined;
  /** Bucket of uploaded files; undefined in a stage without attachments. */
  files: FileBucket | undefined;
}

/** Function of one operation. Its entry, name and grants follow from the contract's row. */
export class OperationFunction extends MessagingFunction {
  readonly operation: Operation;

  constructor(scope: Construct, props: OperationFunctionProps) {
    const { stage, operation, table, bundles, push, files } = props;
    const { fileCalls, thumbnailCalls } = operation;
    const limits = stage.firewall?.requestsPerMinute;
    super(scope, constructId(operation.id), {
      stage,
      path: operation.id,
      bundles,
      description: `${operation.method} ${operation.path}: ${operation.summary}`,
      environment: {
        TABLE_NAME: table.tableName,
        ALLOWED_ORIGINS: stage.allowedOrigins.join(','),
        ...(limits && { REQUESTS_PER_MINUTE_PER_PERSON: String(limits.perPerson) }),
        ...(stage.docs && { ERRORS_PAGE: stage.docs.errorsPage }),
        ...(fileCalls && files?.environment),
        ...(operation.id === createAttachment.id && toUploadEnvironment(stage)),
        ...(operation.id === retrieveAttachment.id && toDownloadEnvironment(stage)),
        ...(operation.feature === 'events' && push?.feedsEnvironment),
        ...(operation.id === listEvents.id && push?.receiptsEnvironment),
        ...(operation.id === retrieveLive.id && push?.listenerEnvironment),
      },
      statements: [
        ...createTableStatements(
          { ...operation.calls, ...(limits && { requestCounts: ['UpdateItem'] }) },
          table.tableArn,
        ),
        ...(files?.createStatements({ fileCalls, thumbnailCalls }) ?? []),
      ],
    });
    if (fileCalls) {
      files?.acknowledgeKeys(constructId(operation.id), { fileCalls, thumbnailCalls });
    }
    this.operation = operation;
  }
}

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

/** Converts messages/send to MessagesSend. */
const constructId = (operationId: string) =>
  operationId.replace(/(?:^|\/)(\w)/g, (_, letter: string) => letter.toUpperCase());
