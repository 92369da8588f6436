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
  reportSeconds,
  requestCountSeconds,
  unsentUploadSeconds,
  uploadCountSeconds,
} from '../../shared/retention.ts';
import { maxRetrySeconds } from '../../shared/webhooks/retry-schedule.ts';

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
    'profile, groups of the last token, first and last activity, settings',
    'table, `CONTACT#…`',
    'permanently',
    'immediately, except the id',
  ],
  [
    'messages with attachment URLs, quoted message and mentioned contacts',
    'table, `MESSAGE#…`, `MESSAGE_CONTENT#…`',
    'until deleted',
    'yes; a tombstone without content or sender remains',
  ],
  [
    'uploaded files with names, media types and sizes; thumbnails',
    'bucket; table, `ATTACHMENT#…`',
    `with the message; if unsent, about ${hours(unsentUploadSeconds / hour)}`,
    'yes, with the message',
  ],
  ['reactions', 'table, in the message', 'until removed', 'yes'],
  [
    'flags and read positions',
    'table, `SETTINGS#…`',
    'with the conversation',
    `yes; an item with the time of the erasure remains for ${days(erasedSettingsSeconds / day)}†`,
  ],
  [
    'time of the first read of a message',
    'table, in the message',
    'with the message',
    'with the message',
  ],
  [
    'conversations: creator and named contacts',
    'table, `CONVERSATION`',
    'until deleted',
    'yes, if there is no other participant; otherwise the id remains',
  ],
  ['a deleted conversation', 'table', 'until the purge completes, about an hour', 'by the purge'],
  [
    'assignments of conversations with businesses to the person',
    'table, `ASSIGNMENT`, and in the conversation',
    'until reassigned or deleted',
    'yes',
  ],
  [
    'blocked contacts, and since when',
    'table, `BLOCK#…`, `BLOCKS`, and in the conversation',
    'until unblocked',
    'yes; the id remains in blocks by other users',
  ],
  [
    'memberships in groups that users create',
    'table, `MEMBERSHIP#…`, `MEMBERSHIPS`',
    'until the membership ends',
    'yes',
  ],
  [
    'groups that users create: title, picture, creator',
    'table, `GROUP#…`',
    'until deleted',
    'yes, if there is no other member; otherwise the creator’s id remains',
  ],
  [
    'id of the distinct conversation with a contact or a business',
    'table, `DISTINCT`',
    'with the conversation',
    'yes',
  ],
  [
    'requests with an Idempotency-Key, and their contact',
    'table, `IDEMPOTENCY#…`',
    `${hours(idempotencyRecordSeconds / hour)}†`,
    'yes; the id remains in records of other users',
  ],
  [
    'reports, with a copy of the reported message, profile or listing',
    'table, `REPORT#…` of the reporter',
    `${days(reportSeconds / day)}†`,
    'with the reporter, not with the reported person',
  ],
  [
    'number of requests in a minute, by hash of the contact id',
    'table, `REQUESTS#…`',
    `${formatCount(requestCountSeconds / 60, 'minute')}†`,
    'expires',
  ],
  [
    'bytes uploaded in a day, by hash of the contact id',
    'table, `UPLOADS#…`',
    `${days(uploadCountSeconds / day)}†`,
    'expires',
  ],
  [
    'feeds: ids, types, versions and times of changes, no content',
    'table, `FEED#…`',
    `at least ${days(feedRetentionSeconds / day)}, at most ${days((2 * feedRetentionSeconds) / day + 2)}†; the feed’s key and entry count permanently`,
    'yes, the person’s own feed; later changes by other users add entries with ids',
  ],
  [
    'changes, with the old and new items',
    'the table’s stream',
    `${hours(streamHours)} (AWS)`,
    'expires',
  ],
  [
    'changes and file events that a worker abandoned, without content',
    'queues',
    days(failureQueueDays),
    'expires',
  ],
  [
    'webhook endpoint for the person’s conversations',
    'table, `WEBHOOKS`',
    'until removed',
    'yes; delete its secret in Parameter Store yourself',
  ],
  [
    'deliveries to webhook endpoints, with the message',
    'queue',
    days(maxRetrySeconds / day),
    'expires',
  ],
  [
    'events that a webhook endpoint did not accept: ids, no content',
    'queue',
    days(failureQueueDays),
    'expires',
  ],
  ['backups of the table', 'point-in-time recovery', `${days(recoveryDays)} (AWS)`, 'expires'],
  [
    'exports of the table and of users',
    'the location you chose',
    'until you delete them',
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
    'cached decision about a token, with profile and groups',
    'the gateway',
    formatCount(authorizerCacheMinutes, 'minute'),
    'expires',
  ],
  ['cached contacts', 'memory of functions', formatCount(contactCacheSeconds, 'second'), 'expires'],
  [
    'log lines: operation, status, hash of the contact id',
    'logs of the functions',
    `${logs}; other stages ${ownLogs}`,
    'expire',
  ],
  [
    'log lines: route and IP address of the client',
    'log of the gateway',
    'as long as the logs of the functions',
    'expire',
  ],
  ['traces: times', 'X-Ray', `${days(traceDays)} (AWS)`, 'expire'],
  ['metrics: totals over all users', 'CloudWatch', '15 months (AWS)', 'no personal data'],
];

/** Table of stored data and its retention, from the constants in the code. */
export const retentionTable = [
  '| data | location | retention | erasure |',
  '|---|---|---|---|',
  ...rows.map((row) => `| ${row.join(' | ')} |`),
].join('\n');
