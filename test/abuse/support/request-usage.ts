import * as v from 'valibot';
import type { Usage } from '../../../shared/log/usage.ts';

export interface LoggedUsage extends Usage {
  cause?: string | undefined;
}

const Line = v.object({
  request_id: v.string(),
  table_calls: v.number(),
  read_units: v.number(),
  write_units: v.number(),
  cause: v.optional(v.string()),
});

const patienceMilliseconds = 10_000;
/** Maximum number of stored log lines that no caller has read. */
const maxRetained = 1000;

const known = new Map<string, LoggedUsage>();
const waiting = new Map<string, (logged: LoggedUsage) => void>();

export function recordLogLine(line: string): void {
  const [, json] = /^\[\w+\] (\{.*\})$/.exec(line) ?? [];
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Line), json);
  if (!parsed.success) return;
  const { request_id, ...usage } = parsed.output;
  const waits = waiting.get(request_id);
  if (waits) waits(usage);
  else known.set(request_id, usage);
  const [oldest] = known.keys();
  if (known.size > maxRetained && oldest !== undefined) known.delete(oldest);
}

/**
 * Returns the logged table usage of the request with the given Request-Id. Waits up to ten seconds,
 * because the log line may arrive after the reply.
 */
export function getRequestUsage(requestId: string): Promise<LoggedUsage> {
  const usage = known.get(requestId);
  if (usage) {
    known.delete(requestId);
    return Promise.resolve(usage);
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(requestId);
      reject(new Error(`No function has logged the request ${requestId}.`));
    }, patienceMilliseconds);
    waiting.set(requestId, (found) => {
      clearTimeout(timer);
      waiting.delete(requestId);
      resolve(found);
    });
  });
}
