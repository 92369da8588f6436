import type { OnExchange } from '../gateway/request/exchange.ts';
import {
  formatConsoleOutput,
  formatErrorLines,
  formatRequestLine,
  formatWorkerLine,
} from './format-lines.ts';
import type { Paint } from './paint.ts';
import { type LogFields, parseLogLine } from './parse-log-line.ts';

/** Prints the output of the local cloud for `npm start`. */
export interface Terminal {
  log(line: string): void;
  onExchange: OnExchange;
  /**
   * Makes a terminal that prints short lines show all requests. Before this call, the terminal
   * shows only requests that failed with a 5xx status.
   */
  open(): void;
}

/**
 * Creates a terminal that prints short lines: one per request, and one per worker invocation that
 * had an effect. Functions write their log line before the gateway has the reply, so the terminal
 * stores the line and shows its table usage with the request. Before the first request, workers
 * process demo data, so the terminal shows only their errors.
 */
export function createShortTerminal(print: (text: string) => void, paint: Paint): Terminal {
  const pendingFields = new Map<string, LogFields>();
  let isOpen = false;
  let hasReceivedRequest = false;
  return {
    open: () => {
      isOpen = true;
    },
    log: (line) => {
      const { functionId, text, error, fields, consoleOutput } = parseLogLine(line);
      if (error !== undefined) {
        print(formatErrorLines(functionId, error, paint));
      } else if (consoleOutput) {
        print(formatConsoleOutput(functionId, consoleOutput, paint));
      } else if (!fields) {
        print(formatErrorLines(functionId, text, paint));
      } else if (fields.request_id !== undefined) {
        pendingFields.set(fields.request_id, fields);
        dropOldest(pendingFields);
      } else if (fields.operation !== 'authorizer' || fields.cause !== undefined) {
        const short = formatWorkerLine(fields, paint);
        if (short !== undefined && (hasReceivedRequest || fields.level === 'ERROR')) print(short);
      }
    },
    onExchange: (exchange) => {
      const { id, receivedAt } = exchange.request;
      const fields = pendingFields.get(id);
      pendingFields.delete(id);
      hasReceivedRequest ||= isOpen;
      if (!isOpen && exchange.reply.status < 500) return;
      print(formatRequestLine(exchange, fields, Date.now() - receivedAt.getTime(), paint));
    },
  };
}

/**
 * Creates a terminal that prints the functions' JSON log lines as Lambda writes them, but omits
 * request lines. Passes the local cloud's own messages to `printMessage`.
 */
export const createRawTerminal = (
  print: (text: string) => void,
  printMessage: (text: string) => void,
): Terminal => ({
  log: (line) => {
    const { text, error, fields, consoleOutput } = parseLogLine(line);
    const isJson = error !== undefined || fields !== undefined || consoleOutput !== undefined;
    if (isJson) print(text);
    else printMessage(line);
  },
  onExchange: () => {},
  open: () => {},
});

/** Drops the oldest line if more than 1,000 lines wait for their request's reply. */
function dropOldest(pendingFields: Map<string, LogFields>): void {
  const [oldest] = pendingFields.keys();
  if (pendingFields.size > 1000 && oldest !== undefined) pendingFields.delete(oldest);
}
