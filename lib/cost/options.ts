import { parseArgs } from 'node:util';
import { Problem } from '../problem.ts';
import { operationIds } from './bill.ts';
import type { OperationId } from './budgets.ts';
import type { Volumes } from './volumes.ts';

export interface CostOptions {
  stage: string;
  free: boolean;
  json: boolean;
  volumes: Volumes;
}

/** What people say for the operations that are most of the bill. */
const aliases: Partial<Record<OperationId, string>> = {
  'messages/send': 'sends',
  'messages/list': 'lists',
};

/** messages/send → messages-send */
const optionOf = (operation: OperationId) => operation.replace('/', '-');

const shares = {
  'group-share': { default: '0.2', is: 'conversations: those of a group' },
  'once-share': { default: '0.5', is: 'sends: those with an Idempotency-Key' },
  'unread-share': { default: '0.25', is: 'listings of messages: those that find a new one' },
  'across-share': { default: '0.1', is: 'listings of messages: those across conversations' },
  'flagged-share': { default: '0.1', is: 'listings of conversations: those with a flag' },
  'pin-share': { default: '0.1', is: 'updates of conversations: those that pin' },
} as const;

const numbers = {
  'message-bytes': { default: '200', is: 'bytes of a message’s text' },
  'messages-per-conversation': { default: '100', is: 'in conversations that are deleted' },
  'groups-per-user': { default: '2', is: 'that somebody who lists conversations is in' },
  'stored-gb': { default: '0', is: 'GB in the table and its indexes' },
  'active-users': { default: '0', is: 'people who sign in with the stack’s own user pool' },
} as const;

type Share = keyof typeof shares;
type Amount = keyof typeof numbers;

const row = (option: string, text = '') => `  --${option.padEnd(28)} ${text}`.trimEnd();
const rows = (table: Record<string, { default: string; is: string }>) =>
  Object.entries(table).map(([name, { default: given, is }]) =>
    row(`${name} N`, `${is} (${given})`),
  );

export const usage = `npm run cost -- [options]
  What the stack costs in a month: with nothing sent, a million of each operation, and for what is given.
  --stage NAME                   the stage that is synthesized and looked at (prod)
  --json                         as JSON
  --no-free                      take nothing off for what every account has for nothing
 Requests in the month, each 0 unless given:
${operationIds.map((id) => row(`${optionOf(id)} N`, aliases[id] && `or --${aliases[id]} N`)).join('\n')}
 How they are, from 0 to 1; of …
${rows(shares).join('\n')}
 How much
${rows(numbers).join('\n')}
  --help                         print this`;

/** Undefined when help is asked for. Throws a Problem for what is no number, and parseArgs’s error for an unknown option. */
export function readOptions(args: readonly string[]): CostOptions | undefined {
  const text = { type: 'string' } as const;
  const names = [
    ...operationIds.map(optionOf),
    ...Object.values(aliases),
    ...Object.keys(shares),
    ...Object.keys(numbers),
  ];
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(names.map((name) => [name, text])),
      stage: { ...text, default: 'prod' },
      json: { type: 'boolean', default: false },
      'no-free': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const given: Record<string, unknown> = values;
  const share = (name: Share) => shareOf(name, given[name] ?? shares[name].default);
  const amount = (name: Amount) => amountOf(name, given[name] ?? numbers[name].default);
  return {
    stage: values.stage,
    free: !values['no-free'],
    json: values.json,
    volumes: {
      requests: requestsIn(given),
      mix: {
        group: share('group-share'),
        once: share('once-share'),
        unread: share('unread-share'),
        across: share('across-share'),
        flagged: share('flagged-share'),
        pin: share('pin-share'),
      },
      messageBytes: amount('message-bytes'),
      messagesPerConversation: amount('messages-per-conversation'),
      groupsPerUser: amount('groups-per-user'),
      storedGb: amount('stored-gb'),
      activeUsers: amount('active-users'),
    },
  };
}

function requestsIn(given: Record<string, unknown>): Volumes['requests'] {
  const of = (id: OperationId) => {
    const alias = aliases[id];
    const names = [optionOf(id), ...(alias ? [alias] : [])].filter((name) => name in given);
    const [name, other] = names;
    if (other !== undefined) throw new Problem(`Give --${name} or --${other}: they are the same.`);
    return name === undefined ? 0 : amountOf(name, given[name]);
  };
  return new Map(operationIds.map((id) => [id, of(id)]));
}

/** `5000000`, `5_000_000` or `0.5`. */
function amountOf(name: string, given: unknown): number {
  const digits = String(given);
  if (/^\d[\d_]*(\.\d+)?$/.test(digits)) return Number(digits.replaceAll('_', ''));
  throw new Problem(`--${name} must be a number such as 5000000 or 5_000_000, not '${digits}'.`);
}

function shareOf(name: string, given: unknown): number {
  const share = amountOf(name, given);
  if (share <= 1) return share;
  throw new Problem(`--${name} must be a share from 0 to 1, not '${given}'.`);
}
