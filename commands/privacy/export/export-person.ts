import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { Problem } from '../../../lib/problem.ts';
import { clock, toSeconds } from '../../../shared/clock.ts';
import { isParticipant } from '../../../shared/table/conversations/items/participants.ts';
import { conversationKey } from '../../../shared/table/keys/keys.ts';
import { lookUpContent } from '../../../shared/table/messages/log/content-item.ts';
import {
  isMessage,
  type MessageItem,
  toLogEntry,
} from '../../../shared/table/messages/log/message-item.ts';
import type { StageTable } from '../../stage/stage-table.ts';
import type { PoolUser } from '../../users/pool-user.ts';
import { toInterruptionProblem } from '../interruption-problem.ts';
import { createConversationCache } from '../items/conversation-cache.ts';
import { findPersonItems } from '../items/find-person-items.ts';
import { createPersonFilter } from '../items/person-filter.ts';
import { createRateLimiter, type RateLimiter } from '../items/rate-limiter.ts';
import { readPerson } from '../items/read-person.ts';
import { readRanges, TableRange } from '../items/read-ranges.ts';
import { formatScanCost, readTableSize } from '../items/scan-cost.ts';
import { getSearchRanges } from '../items/search-ranges.ts';
import type { CopyFiles } from './copy-files.ts';
import type { ExportRecord } from './export-records.ts';
import { openPartialFile, type PartialFile } from './partial-file.ts';
import { type FindContent, toExportRecords, toReceivedRecord } from './to-export-records.ts';

export interface PersonExport {
  contactId: string;
  table: StageTable;
  /** The stage's name; `local` for the local cloud. */
  stageName: string;
  account: PoolUser | undefined;
  file: string;
  resume: boolean;
  /** Groups to include, in addition to the groups in the last token and the user groups. */
  groups: readonly string[];
  /** Reads only the indexes and groups instead of the whole table. */
  narrow: boolean;
  /** Includes messages that other users sent in the person's conversations. */
  received: boolean;
  copyFiles: CopyFiles;
  /** Maximum read units per second. */
  readUnits: number;
  pageSize?: number;
}

/** Checkpoint of an export. `request` contains the options that a run with `resume` must repeat. */
const Progress = v.object({
  request: v.string(),
  groups: v.array(v.string()),
  ranges: v.array(TableRange),
  records: v.number(),
});
type Progress = v.InferOutput<typeof Progress>;
type Output = PartialFile<Progress>;

/**
 * Writes a person's data to a file, one JSON object per line, and copies the person's uploads.
 * Returns the number of records. Throws a Problem if the export is interrupted, if the file exists,
 * if its folder is missing, or if there is no interrupted export with the same options to resume.
 */
export async function exportPerson(
  options: PersonExport,
  terminal: { print(line: string): void; onProgress(records: number): void },
): Promise<number> {
  const { file } = options;
  const output = await openPartialFile(file, options.resume, Progress);
  try {
    const progress = output.progress
      ? resume(options, output.progress, terminal.print)
      : await begin(options, output, terminal.print);
    const records = await writeItems(options, output, progress, terminal.onProgress);
    const end: ExportRecord = { kind: 'end', records, ended_at: toSeconds(clock.now()) };
    await output.append([end]);
    await output.complete();
    return records;
  } catch (error) {
    await output.close().catch(() => {});
    throw toInterruptionProblem(
      error,
      `The data written so far is in ${file}.part: continue with --resume.`,
    );
  }
}

const toRequest = ({ table, contactId, groups, narrow, received }: PersonExport) =>
  JSON.stringify([table.name, contactId, groups, narrow, received]);

function resume(options: PersonExport, progress: Progress, print: (line: string) => void) {
  if (progress.request !== toRequest(options)) {
    throw new Problem(
      `${options.file}.part was started with other options: use the same options, or omit --resume to start over.`,
    );
  }
  print(`Resuming after ${progress.records} records.`);
  return progress;
}

async function begin(
  options: PersonExport,
  output: Output,
  print: (line: string) => void,
): Promise<Progress> {
  const { contactId, table, narrow, received, readUnits } = options;
  const person = await readPerson(table, contactId, options.groups);
  const groups = [...person.groups];
  const ranges = [...(await getSearchRanges(table, person, { narrow }))];
  print(
    narrow
      ? `Reading only the indexes and the groups ${groups.join(', ') || '(none)'}: the export may be incomplete.`
      : formatScanCost(await readTableSize(table), readUnits),
  );
  const header: ExportRecord = {
    kind: 'export',
    contact_id: contactId,
    place: options.stageName,
    begun_at: toSeconds(clock.now()),
    complete: !narrow,
    groups,
    received,
  };
  const account = toAccountRecords(options.account);
  await output.append([header, ...account]);
  const progress = { request: toRequest(options), groups, ranges, records: account.length };
  await output.saveProgress(progress);
  return progress;
}

async function writeItems(
  options: PersonExport,
  output: Output,
  previous: Progress,
  onProgress: (records: number) => void,
): Promise<number> {
  const { table, received, pageSize, copyFiles } = options;
  const person = { id: options.contactId, groups: previous.groups };
  const limitRate = createRateLimiter(options.readUnits);
  const conversations = createConversationCache(table);
  let progress = previous;
  await readRanges({
    table,
    ranges: previous.ranges,
    filter: createPersonFilter(person),
    limitRate,
    pageSize,
    onPage: async (items, ranges) => {
      const found = await findPersonItems(items, person, conversations);
      const sent = found.flatMap(({ item }) => (item.kind === 'message' ? item.message : []));
      const findContent = await readContentAtRate(sent, limitRate);
      const ownRecords = await copyFiles(
        found.flatMap(({ item }) => toExportRecords(item, person, findContent)),
      );
      await output.append(ownRecords);
      let records = progress.records + ownRecords.length;
      for (const { item } of received ? found : []) {
        // A person who has left a group can no longer read its conversations, even those that the
        // person created.
        if (item.kind !== 'conversation' || !isParticipant(item.conversation, person)) continue;
        for await (const page of readReceived(options, item.conversation.id, limitRate)) {
          await output.append(page);
          records += page.length;
          onProgress(records);
        }
      }
      progress = { ...progress, ranges: [...ranges], records };
      await output.saveProgress(progress);
      onProgress(records);
    },
  });
  return progress.records;
}

/** Reads the contents of messages with eventual consistency, at half a read unit per 4 KB. */
async function readContentAtRate(
  messages: readonly MessageItem[],
  limitRate: RateLimiter,
): Promise<FindContent> {
  const findContent = await lookUpContent(messages);
  await limitRate(messages.reduce((sum, { content_bytes = 0 }) => sum + content_bytes / 8192, 0));
  return findContent;
}

function toAccountRecords(account: PoolUser | undefined): ExportRecord[] {
  if (!account) return [];
  const { id: _, ...attributes } = account;
  return [{ kind: 'account', ...attributes }];
}

/** Yields the messages that other users sent in a conversation, page by page. */
async function* readReceived(
  { table, contactId, pageSize }: PersonExport,
  conversationId: string,
  limitRate: RateLimiter,
): AsyncGenerator<ExportRecord[]> {
  let next: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :messages)',
        FilterExpression: 'sent_by <> :id AND attribute_exists(sent_by)',
        ExpressionAttributeValues: {
          ':pk': conversationKey(conversationId).pk,
          ':messages': 'MESSAGE#',
          ':id': contactId,
        },
        ConsistentRead: true,
        Limit: pageSize,
        ExclusiveStartKey: next,
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    const messages = (page.Items ?? []).map(toLogEntry).filter(isMessage);
    const findContent = await readContentAtRate(messages, limitRate);
    yield messages
      .flatMap((message) => findContent(message) ?? [])
      .map((message) => toReceivedRecord(message, contactId));
    await limitRate(page.ConsumedCapacity?.CapacityUnits ?? 0);
    next = page.LastEvaluatedKey;
  } while (next);
}
