import {
  authorizerCacheMinutes,
  failureQueueDays,
  recoveryDays,
  refreshTokenDays,
  streamHours,
  tokenHours,
  traceDays,
} from '../../lib/lifetimes.ts';
import { listedStages } from '../../lib/stage-names.ts';
import { getStage } from '../../lib/stages.ts';
import {
  contactCacheSeconds,
  erasedSettingsSeconds,
  feedRetentionSeconds,
  idempotencyRecordSeconds,
  requestCountSeconds,
} from '../../shared/retention.ts';

const hour = 60 * 60;
const day = 24 * hour;

const formatCount = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
const hours = (count: number) => formatCount(count, 'hour');
const days = (count: number) => formatCount(count, 'day');

const logs = listedStages
  .map((name) => `${name} ${days(getStage(name).logRetentionDays)}`)
  .join(', ');
const ownLogs = days(getStage('one-of-your-own').logRetentionDays);

type Row = [what: string, where: string, time: string, erased: string];

const rows: readonly Row[] = [
  [
    'profile: username, phone number, picture, groups of the last token, first and last activity',
    'table, `CONTACT#…`',
    'for good',
    'immediately; the id stays, with the time of the erasure',
  ],
  [
    'messages and their attachments’ URLs',
    'table, `MESSAGE#…`',
    'until the sender deletes them, or a participant the conversation',
    'yes: a tombstone without content or sender stays',
  ],
  ['reactions', 'table, in the message', 'until removed', 'yes'],
  [
    'flags and read positions',
    'table, `SETTINGS#…`',
    'with the conversation',
    `yes; an item with the time of the erasure stays ${days(erasedSettingsSeconds / day)}, plus up to a few days until DynamoDB deletes it`,
  ],
  [
    'that a message was read, and when first',
    'table, in the message',
    'with the message',
    'with the message; it does not identify the reader',
  ],
  [
    'conversations: their creator and the contacts they name',
    'table, `CONVERSATION`',
    'until deleted',
    'if there is no other participant; otherwise they stay and name the id',
  ],
  [
    'a deleted conversation',
    'table',
    'about an hour, at least a minute, until the purge completes',
    'by the purge',
  ],
  [
    'which conversation is the direct one of two contacts',
    'table, `DISTINCT`',
    'with the conversation',
    'yes',
  ],
  [
    'reply of a request with an Idempotency-Key, with the contact at that time',
    'table, `IDEMPOTENCY#…`',
    `${hours(idempotencyRecordSeconds / hour)}, plus up to a few days until DynamoDB deletes it`,
    'yes; those of others may name the id for as long',
  ],
  [
    'number of requests in a minute, by a hash of the contact id',
    'table, `REQUESTS#…`',
    `${formatCount(requestCountSeconds / 60, 'minute')}, plus up to a few days until DynamoDB deletes it`,
    'runs out',
  ],
  [
    'feeds: ids, types, versions and times of changes, no content',
    'table, `FEED#…`',
    `at least ${days(feedRetentionSeconds / day)}, at most ${days((2 * feedRetentionSeconds) / day + 2)}, plus up to a few days until DynamoDB deletes them; the feed’s key and its number of entries permanently`,
    'their own; later changes by others in conversations with them add new entries with ids',
  ],
  [
    'changes to be processed by the workers, with the previous items',
    'the table’s stream',
    `${hours(streamHours)} (AWS)`,
    'runs out',
  ],
  [
    'failed events of a worker: positions in the stream, no content',
    'queues',
    days(failureQueueDays),
    'runs out',
  ],
  [
    'point-in-time recovery of the table',
    'point-in-time recovery',
    `${days(recoveryDays)} (AWS)`,
    'runs out',
  ],
  [
    'exports of the table and of users',
    'the location you chose',
    'as you decide',
    'delete them yourself',
  ],
  [
    'account: name, addresses, groups',
    'the stage’s user pool',
    'until removed',
    'yes; with an external issuer, delete it there',
  ],
  [
    'tokens',
    'devices',
    `${hours(tokenHours)}; refresh tokens ${days(refreshTokenDays)}`,
    'refresh tokens immediately; others expire',
  ],
  [
    'the result of checking a token',
    'the gateway',
    `${formatCount(authorizerCacheMinutes, 'minute')}, even if the token expires earlier: each operation checks the expiry itself`,
    'runs out',
  ],
  [
    'contacts as shown to others',
    'memory of functions',
    formatCount(contactCacheSeconds, 'second'),
    'runs out',
  ],
  [
    'log lines: operation, status, a hash of the contact id; no text, no profile',
    'logs of the functions',
    `${logs}; other stages ${ownLogs}`,
    'run out',
  ],
  ['log lines: route and IP address of the client', 'log of the gateway', 'the same', 'run out'],
  ['traces: times', 'X-Ray', `${days(traceDays)} (AWS)`, 'run out'],
  ['metrics: totals over all users', 'CloudWatch', '15 months (AWS)', 'contains no personal data'],
];

/** Returns the table of stored data and its retention, from the constants in the code. */
export const retentionTable = [
  '| what | where | how long | erased |',
  '|---|---|---|---|',
  ...rows.map((row) => `| ${row.join(' | ')} |`),
].join('\n');
