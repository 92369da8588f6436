import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { Usage } from '../../../shared/log/usage.ts';
import { send } from '../../acceptance/support/api.ts';
import type { HonestCall } from './honest-call.ts';
import { getRequestUsage } from './request-usage.ts';

/** A call that was made: what it asked of the table, how long it took, and what was wrong with its reply, if anything. */
export interface CallResult extends Usage {
  milliseconds: number;
  wrong: string | undefined;
}

/**
 * Makes the call over HTTP, and judges the reply. What a call may take is told in calls and units, which are counted whatever
 * comes of it; but the service also ends a call of the table after a second, and all it does before its function's time is
 * over. On a machine that is slow that falls to anybody: whoever is told to come again for it does so, as the reply says.
 * What it took is then the most that one of the tries did.
 */
export async function makeCall(call: HonestCall): Promise<CallResult> {
  let made = await attemptCall(call);
  const mayRepeat = repeatable.has(call.row.method);
  for (let attempt = 1; made.isLate && mayRepeat && attempt < maxAttempts; attempt++) {
    await sleep(pauseMilliseconds);
    made = withMaxUsage(await attemptCall(call), made);
  }
  return made;
}

/** What is the same when it is done twice. */
const repeatable = new Set(['GET', 'PUT']);
const maxAttempts = 5;
const pauseMilliseconds = 1000;

/** As `Retry-After` is for: the table gave no answer in time. No other cause, such as that others always were first. */
const timeoutCause = /TimeoutError|The time for it was over/;

const withMaxUsage = (last: Attempt, before: Attempt): Attempt => ({
  ...last,
  table_calls: Math.max(last.table_calls, before.table_calls),
  read_units: Math.max(last.read_units, before.read_units),
  write_units: Math.max(last.write_units, before.write_units),
});

interface Attempt extends CallResult {
  isLate: boolean;
}

async function attemptCall({ who, row, sent, status, check: right }: HonestCall): Promise<Attempt> {
  const begun = performance.now();
  const response = await send(who, row, sent);
  const text = await response.text();
  const milliseconds = performance.now() - begun;
  const { cause = '', ...usage } = await getRequestUsage(response.headers.get('Request-Id') ?? '');
  const isLate = response.status === 503 && timeoutCause.test(cause);
  return { ...usage, milliseconds, isLate, wrong: findFault() };

  function findFault(): string | undefined {
    if (response.status !== status) {
      return `answered ${response.status}: ${text.slice(0, 300)} ${cause.slice(0, 300)}`;
    }
    try {
      const body: unknown = JSON.parse(text);
      right(status === row.status ? v.parse(row.reply, body) : body);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
