import * as v from 'valibot';
import type { Usage } from '../../../shared/log/usage.ts';
import { send } from '../../acceptance/support/api.ts';
import type { HonestCall } from './honest.ts';
import { usageOf } from './usage-of.ts';

/** A call that was made: what it asked of the table, how long it took, and what was wrong with its reply, if anything. */
export interface Made extends Usage {
  milliseconds: number;
  wrong: string | undefined;
}

/** Makes the call over HTTP, and judges the reply. */
export async function makeCall({ who, row, sent, status, right }: HonestCall): Promise<Made> {
  const begun = performance.now();
  const response = await send(who, row, sent);
  const text = await response.text();
  const milliseconds = performance.now() - begun;
  const usage = await usageOf(response.headers.get('Request-Id') ?? '');
  return { ...usage, milliseconds, wrong: whatIsWrong() };

  function whatIsWrong(): string | undefined {
    if (response.status !== status) return `answered ${response.status}: ${text.slice(0, 300)}`;
    try {
      const body: unknown = JSON.parse(text);
      right(status === row.status ? v.parse(row.reply, body) : body);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
