import { format } from 'node:util';

const levels = {
  trace: 'TRACE',
  debug: 'DEBUG',
  log: 'INFO',
  info: 'INFO',
  warn: 'WARN',
  error: 'ERROR',
} as const;

/** Log levels in ascending order, as Lambda ranks them. */
export const logLevels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface JsonLogs {
  /** Level below which lines are dropped. */
  minLevel: LogLevel;
  requestId(): string;
  write(line: string): void;
}

/**
 * Makes the thread log in Lambda's JSON log format. Each console call writes a line of JSON with
 * the request id. The message is an object if the only argument is an object or error; otherwise,
 * it is text. Lines written directly to stdout or stderr are filtered by level, but not changed.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
 */
export function writeJsonLogs({ minLevel, requestId, write }: JsonLogs): void {
  const isEnabled = (level: LogLevel) => logLevels.indexOf(level) >= logLevels.indexOf(minLevel);
  for (const [method, level] of Object.entries(levels)) {
    const print = (...parts: unknown[]) => {
      if (!isEnabled(level)) return;
      const timestamp = new Date().toISOString();
      const line = { timestamp, level, requestId: requestId(), message: toMessage(parts) };
      write(JSON.stringify(line));
    };
    Object.assign(console, { [method]: print });
  }
  const printText = (text: string | Uint8Array) => {
    const lines = (typeof text === 'string' ? text : Buffer.from(text).toString()).split('\n');
    const printed = lines.filter((line) => line !== '' && isEnabled(getLineLevel(line)));
    if (printed.length > 0) write(printed.join('\n'));
    return true;
  };
  process.stdout.write = printText;
  process.stderr.write = printText;
}

/** Returns the level of a line; `INFO` if the line has no valid level or timestamp. */
function getLineLevel(line: string): LogLevel {
  const { level, timestamp } = parseJsonLine(line);
  const statedLevel = logLevels.find((one) => one === String(level).toUpperCase());
  return statedLevel && rfc3339.test(String(timestamp)) ? statedLevel : 'INFO';
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

function parseJsonLine(line: string): { level?: unknown; timestamp?: unknown } {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}

function toMessage(parts: readonly unknown[]): unknown {
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
