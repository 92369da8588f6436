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
  callerCacheSeconds,
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

const formatCount = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
const hours = (count: number) => formatCount(count, 'hour');
const days = (count: number) => formatCount(count, 'day');

const logs = listedStages
  .map((name) => `${name} ${days(getStage(name).logRetentionDays)}`)
  .join(', ');
const ownLogs = days(getStage('one-of-your-own').logRetentionDays);

type Row = [data: string, retention: string, erasure: string];

const rows: readonly Row[] = [
  [
    'profile, groups of the last token, first and last activity, settings (`CONTACT#…`)',
    'permanently',
    'immediately; id and erasure time remain',
  ],
  [
    'messages: text, attachment URLs, mentions, id of the quoted message (`MESSAGE#…`, `MESSAGE_CONTENT#…`)',
    'until deleted',
    'yes; a tombstone without content or sender remains',
  ],
  [
    'uploaded files and thumbnails, in the bucket; their names, media types and sizes (`ATTACHMENT#…`)',
    `with the message; if unsent, about ${hours(unsentUploadSeconds / hour)}`,
    'yes',
  ],
  ['reactions', 'until removed', 'yes'],
  [
    'flags and read positions (`SETTINGS#…`)',
    'with the conversation',
    `yes; an item with the time of the erasure remains for ${days(erasedSettingsSeconds / day)}†`,
  ],
  ['time of the first read of a message', 'with the message', 'with the message'],
  [
    'conversations: creator and named contacts (`CONVERSATION`)',
    'until deleted',
    'yes, if no other participant or token group remains; otherwise the id remains',
  ],
  ['a deleted conversation', 'until the purge completes, usually within minutes', 'by the purge'],
  [
    'assignments to the person in conversations with businesses (`ASSIGNMENT`)',
    'until reassigned or deleted',
    'yes',
  ],
  [
    'blocked contacts and block times (`BLOCK#…`, `BLOCKS`)',
    'until unblocked',
    'yes; the id remains in blocks by other users',
  ],
  [
    'memberships in groups that users create (`MEMBERSHIP#…`, `MEMBERSHIPS`)',
    'until the membership ends',
    'yes',
  ],
  [
    'groups that users create: title, picture, creator (`GROUP#…`)',
    'until deleted',
    'yes, if there is no other member; otherwise the creator’s id remains',
  ],
  [
    'id of the distinct conversation with a contact or business (`DISTINCT`)',
    'with the conversation',
    'yes',
  ],
  [
    'records of requests with an Idempotency-Key: fingerprint, result, profile at that time (`IDEMPOTENCY#…`)',
    `${hours(idempotencyRecordSeconds / hour)}†`,
    'yes; the id remains in records of other users',
  ],
  [
    'reports, with a copy of the reported message, profile or listing (`REPORT#…`)',
    `${days(reportSeconds / day)}†`,
    'if the reporter is erased, but not if the reported person is',
  ],
  [
    'request counts per minute (`REQUESTS#…`) and uploaded bytes per day (`UPLOADS#…`), keyed by a hash of the contact id',
    `${formatCount(requestCountSeconds / 60, 'minute')}†; ${days(uploadCountSeconds / day)}†`,
    'expire',
  ],
  [
    'feeds: ids, types, versions and times of changes, no content (`FEED#…`)',
    `at least ${days(feedRetentionSeconds / day)}, at most ${days((2 * feedRetentionSeconds) / day + 2)}†; the feed’s key and entry count permanently`,
    'yes, in the person’s own feed; later changes by other users add new entries',
  ],
  [
    'changes in the table’s stream, with the old and new items',
    `${hours(streamHours)} (AWS)`,
    'expire',
  ],
  [
    'changes, file events and webhook events that a worker abandoned, without content (queues)',
    days(failureQueueDays),
    'expire',
  ],
  [
    'webhook endpoint for the person’s conversations (`WEBHOOKS`)',
    'until removed',
    'yes; delete its secret in Parameter Store yourself',
  ],
  [
    'deliveries to webhook endpoints, with the message (queue)',
    days(maxRetrySeconds / day),
    'expire',
  ],
  ['backups of the table (point-in-time recovery)', `${days(recoveryDays)} (AWS)`, 'expire'],
  ['exports of the table and of users', 'until you delete them', 'delete them yourself'],
  [
    'account in the stage’s user pool: profile, e-mail address, groups',
    'until removed',
    'yes; with an external issuer, delete it there',
  ],
  [
    'tokens on devices',
    `${hours(tokenHours)}; refresh tokens ${days(refreshTokenDays)}`,
    'refresh tokens become invalid immediately; other tokens expire',
  ],
  [
    'authorizer decisions cached by the gateway, with profile and groups',
    formatCount(authorizerCacheMinutes, 'minute'),
    'expire',
  ],
  [
    'contacts cached in functions’ memory',
    `${formatCount(contactCacheSeconds, 'second')}; the caller’s own, ${formatCount(callerCacheSeconds / 60, 'minute')}`,
    'expire',
  ],
  [
    'log lines: operation, status and hash of the contact id; in the gateway’s log, route and IP address',
    `${logs}; other stages ${ownLogs}`,
    'expire',
  ],
  ['traces in X-Ray: times, URLs with ids, IP addresses', `${days(traceDays)} (AWS)`, 'expire'],
  ['metrics in CloudWatch: totals over all users', '15 months (AWS)', 'no personal data'],
];

/** Table of stored data and its retention, from the constants in the code. */
export const retentionTable = [
  '| data | retention | erasure |',
  '|---|---|---|',
  ...rows.map((row) => `| ${row.join(' | ')} |`),
].join('\n');
