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
    'uploaded files and thumbnails (bucket), with their names, media types and sizes (`ATTACHMENT#…`)',
    `with the message. If no message contains the file, about ${hours(unsentUploadSeconds / hour)}`,
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
    'if another participant or a token group remains, the id remains. Otherwise, the conversation is deleted',
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
    'if there is another member, the creator’s id remains. Otherwise, the group is deleted',
  ],
  [
    'id of the distinct conversation with a contact or business (`DISTINCT`)',
    'with the conversation',
    'yes',
  ],
  [
    'records of requests with an Idempotency-Key: fingerprint, result, profile at request time (`IDEMPOTENCY#…`)',
    `${hours(idempotencyRecordSeconds / hour)}†`,
    'yes; the id remains in records of other users',
  ],
  [
    'reports, with a copy of the reported message, profile or listing (`REPORT#…`)',
    `${days(reportSeconds / day)}†`,
    'when the reporter is erased, not when the reported person is erased',
  ],
  [
    'request counts per minute (`REQUESTS#…`) and uploaded bytes per day (`UPLOADS#…`), keyed by a hash of the contact id',
    `request counts ${formatCount(requestCountSeconds / 60, 'minute')}†; uploaded bytes ${days(uploadCountSeconds / day)}†`,
    'expire',
  ],
  [
    'feeds: ids, types, versions and times of changes, no content (`FEED#…`)',
    `${feedRetentionSeconds / day} to ${days((2 * feedRetentionSeconds) / day + 2)}†. The feed’s key and entry count remain permanently`,
    'yes, in the person’s own feed. Later changes by other users add entries again',
  ],
  [
    'changes in the table’s stream, with the old and new items',
    `${hours(streamHours)} (AWS)`,
    'expire',
  ],
  [
    'changes, file events and webhook events that a worker abandoned (queues, without content)',
    days(failureQueueDays),
    'expire',
  ],
  [
    'webhook endpoint for the person’s conversations (`WEBHOOKS`)',
    'until removed',
    'yes. Delete the endpoint’s secret in Parameter Store yourself',
  ],
  ['webhook deliveries, including the message (queue)', days(maxRetrySeconds / day), 'expire'],
  ['backups of the table (point-in-time recovery)', `${days(recoveryDays)} (AWS)`, 'expire'],
  ['exports of the table and of users', 'until you delete them', 'delete them yourself'],
  ['account in the stage’s user pool: profile, e-mail address, groups', 'until removed', 'yes'],
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
    `${formatCount(contactCacheSeconds, 'second')}; the caller’s own contact, ${formatCount(callerCacheSeconds / 60, 'minute')}`,
    'expire',
  ],
  [
    'log lines: operation, status and hash of the contact id. In the gateway’s log: route and IP address',
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
