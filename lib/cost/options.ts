import { parseArgs } from 'node:util';
import { operations } from '../../shared/contract/operations.ts';
import { Problem } from '../problem.ts';
import type { Volumes } from './bill.ts';
import type { OperationId } from './budgets.ts';

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
const optionOf = (id: OperationId) => id.replace('/', '-');

const row = (option: string, text = '') => `  --${option.padEnd(28)} ${text}`.trimEnd();

export const usage = `npm run cost -- [options]
  What the stack costs in a month: with nothing sent, a million of each operation, and for what is given.
  --stage NAME                   the stage that is synthesized and looked at (prod)
  --json                         as JSON
  --no-free                      take nothing off for what every account has for nothing
 In the month, each 0 unless given: requests,
${operations.map(({ id }) => row(`${optionOf(id)} N`, aliases[id] && `or --${aliases[id]} N`)).join('\n')}
 and
${row('stored-gb N', 'GB in the table and its indexes, on average')}
${row('active-users N', 'people who sign in with the stack’s own user pool')}
  --help                         print this`;

/** Undefined when help is asked for. Throws a Problem for what is no number, and parseArgs’s error for an unknown option. */
export function readOptions(args: readonly string[]): CostOptions | undefined {
  const text = { type: 'string' } as const;
  const names = [...operations.map(({ id }) => optionOf(id)), ...Object.values(aliases)];
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(names.map((name) => [name, text])),
      'stored-gb': text,
      'active-users': text,
      stage: { ...text, default: 'prod' },
      json: { type: 'boolean', default: false },
      'no-free': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const given: Record<string, unknown> = values;
  return {
    stage: values.stage,
    free: !values['no-free'],
    json: values.json,
    volumes: {
      requests: new Map(operations.map(({ id }) => [id, requestsOf(id, given)])),
      storedGb: amountOf('stored-gb', given),
      activeUsers: amountOf('active-users', given),
    },
  };
}

function requestsOf(id: OperationId, given: Record<string, unknown>): number {
  const option = optionOf(id);
  const alias = aliases[id];
  if (alias === undefined || !(alias in given)) return amountOf(option, given);
  if (option in given) throw new Problem(`Give --${option} or --${alias}: they are the same.`);
  return amountOf(alias, given);
}

/** `5000000`, `5_000_000` or `0.5`. */
function amountOf(name: string, given: Record<string, unknown>): number {
  const digits = String(given[name] ?? 0);
  if (/^\d[\d_]*(\.\d+)?$/.test(digits)) return Number(digits.replaceAll('_', ''));
  throw new Problem(`--${name} must be a number such as 5000000 or 5_000_000, not '${digits}'.`);
}
