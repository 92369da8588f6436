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
  feedRetentionSeconds,
  idempotencyRecordSeconds,
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
    'at once; the id stays, with the time of the erasure',
  ],
  [
    'messages and their attachments’ addresses',
    'table, `MESSAGE#…`',
    'until the sender deletes them, or somebody the conversation',
    'yes: a marker without content or sender stays',
  ],
  ['reactions', 'table, in the message', 'until taken back', 'yes'],
  ['flags, and how far one has read', 'table, `SETTINGS#…`', 'with the conversation', 'yes'],
  [
    'that a message was read, and when first',
    'table, in the message',
    'with the message',
    'with the message; it does not say by whom',
  ],
  [
    'conversations: who made them, whom they name',
    'table, `CONVERSATION`',
    'until deleted',
    'where nobody else is left; else they stay, and name the id',
  ],
  [
    'a deleted conversation',
    'table',
    'about an hour, a minute at least, until the purge is through',
    'by the purge',
  ],
  ['which conversation is the one of two', 'table, `DISTINCT`', 'with the conversation', 'yes'],
  [
    'what a request with an Idempotency-Key made, with the contact as it was',
    'table, `IDEMPOTENCY#…`',
    `${hours(idempotencyRecordSeconds / hour)}, and up to a few days until DynamoDB removes it`,
    'yes; those of others may name the id for as long',
  ],
  [
    'feeds: ids, kinds, versions and times of changes, no content',
    'table, `FEED#…`',
    `${days(feedRetentionSeconds / day)} at least, ${days((2 * feedRetentionSeconds) / day + 2)} at most, and up to a few days until DynamoDB removes them; the feed’s key and how many there were, for good`,
    'their own; what others do in conversations with them is told there again, by ids',
  ],
  [
    'changes on their way to the workers, with what items were',
    'the table’s stream',
    `${hours(streamHours)} (AWS)`,
    'runs out',
  ],
  [
    'what a worker gave up: positions in the stream, no content',
    'queues',
    days(failureQueueDays),
    'runs out',
  ],
  ['the table at any second', 'point-in-time recovery', `${days(recoveryDays)} (AWS)`, 'runs out'],
  [
    'exports of the table and of people',
    'where you had them written',
    'as you decide',
    'yours to remove',
  ],
  [
    'account: name, addresses, groups',
    'the stage’s user pool',
    'until removed',
    'yes; with an issuer of your own there',
  ],
  [
    'tokens',
    'devices',
    `${hours(tokenHours)}; refresh tokens ${days(refreshTokenDays)}`,
    'refresh tokens at once; others run out',
  ],
  [
    'that a token is good',
    'the gateway',
    `${formatCount(authorizerCacheMinutes, 'minute')}, also where the token's time is over before: each operation looks at that itself`,
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
  ['log lines: route and address of the device', 'log of the gateway', 'the same', 'run out'],
  ['traces: times', 'X-Ray', `${days(traceDays)} (AWS)`, 'run out'],
  ['metrics: sums over everybody', 'CloudWatch', '15 months (AWS)', 'nothing of a person'],
];

/** What is kept where and for how long, from the constants by which it is. */
export const retentionTable = [
  '| what | where | how long | erased |',
  '|---|---|---|---|',
  ...rows.map((row) => `| ${row.join(' | ')} |`),
].join('\n');
