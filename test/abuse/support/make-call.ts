import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { Usage } from '../../../shared/log/usage.ts';
import { send } from '../../acceptance/support/api.ts';
import type { HonestCall } from './honest-call.ts';
import { getRequestUsage } from './request-usage.ts';

export interface CallResult extends Usage {
  milliseconds: number;
  fault: string | undefined;
}

/**
 * Makes the call over HTTP and checks the reply. The table or the function may time out on a slow
 * machine. After a timeout, waits a second and retries a GET or PUT request, up to four times.
 * Returns the duration and error of the last attempt, and the maximum usage of all attempts.
 */
export async function makeCall(call: HonestCall): Promise<CallResult> {
  let result = await attemptCall(call);
  const mayRepeat = repeatable.has(call.row.method);
  for (let attempt = 1; result.isLate && mayRepeat && attempt < maxAttempts; attempt++) {
    await sleep(pauseMilliseconds);
    result = withMaxUsage(await attemptCall(call), result);
  }
  return result;
}

const repeatable = new Set(['GET', 'PUT']);
const maxAttempts = 5;
const pauseMilliseconds = 1000;

/** Causes of a 503 that `makeCall` retries. It does not retry other causes, such as conflicts. */
const timeoutCause = /TimeoutError|The deadline has passed/;

const withMaxUsage = (last: Attempt, before: Attempt): Attempt => ({
  ...last,
  table_calls: Math.max(last.table_calls, before.table_calls),
  read_units: Math.max(last.read_units, before.read_units),
  write_units: Math.max(last.write_units, before.write_units),
});

interface Attempt extends CallResult {
  isLate: boolean;
}

async function attemptCall({
  participant,
  row,
  sent,
  status,
  check,
}: HonestCall): Promise<Attempt> {
  const begun = performance.now();
  const response = await send(participant, row, sent);
  const text = await response.text();
  const milliseconds = performance.now() - begun;
  const { cause = '', ...usage } = await getRequestUsage(response.headers.get('Request-Id') ?? '');
  const isLate = response.status === 503 && timeoutCause.test(cause);
  return { ...usage, milliseconds, isLate, fault: findFault() };

  function findFault(): string | undefined {
    if (response.status !== status) {
      return `returned ${response.status}: ${text.slice(0, 300)} ${cause.slice(0, 300)}`;
    }
    try {
      const body: unknown = JSON.parse(text);
      check(status === row.status ? v.parse(row.reply, body) : body);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
