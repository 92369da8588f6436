import { format } from 'node:util';

const levels = {
  trace: 'TRACE',
  debug: 'DEBUG',
  log: 'INFO',
  info: 'INFO',
  warn: 'WARN',
  error: 'ERROR',
} as const;

/** From the least urgent on, as Lambda ranks them. */
export const logLevels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface JsonLogs {
  /** What is less urgent is dropped. */
  leastLevel: LogLevel;
  requestId(): string;
  write(line: string): void;
}

/**
 * Makes the console write as Lambda's JSON log format has it: a line of JSON with the request's id for each call, an
 * object passed alone as it is, anything else as text.
 */
export function writeJsonLogs({ leastLevel, requestId, write }: JsonLogs): void {
  for (const [method, level] of Object.entries(levels)) {
    const isPrinted = logLevels.indexOf(level) >= logLevels.indexOf(leastLevel);
    const print = (...parts: unknown[]) => {
      if (!isPrinted) return;
      const timestamp = new Date().toISOString();
      const line = { timestamp, level, requestId: requestId(), message: message(parts) };
      write(JSON.stringify(line));
    };
    Object.assign(console, { [method]: print });
  }
}

function message(parts: readonly unknown[]): unknown {
  const [only, ...others] = parts;
  if (others.length > 0) return format(...parts);
  if (only instanceof Error) {
    return {
      errorType: only.name,
      errorMessage: only.message,
      stackTrace: only.stack?.split('\n'),
    };
  }
  return typeof only === 'object' ? only : format(only);
}
