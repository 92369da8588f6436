import type { OnExchange } from '../gateway/request/exchange.ts';
import {
  formatConsoleOutput,
  formatErrorLines,
  formatRequestLine,
  formatWorkerLine,
} from './format-lines.ts';
import type { Paint } from './paint.ts';
import { type Facts, parseLogLine } from './parse-log-line.ts';

/** Output of a start: a line per request, and per worker call that had an effect. */
export interface Terminal {
  /** For the local cloud's `log`. */
  log(line: string): void;
  onExchange: OnExchange;
  /** Shows lines from now on; before, only errors. */
  open(): void;
}

/**
 * Functions write their log line before the gateway has the reply, so the line is kept and its
 * table usage is shown with the request. Workers stay quiet until the first request, while they
 * process demo data.
 */
export function createShortTerminal(print: (text: string) => void, paint: Paint): Terminal {
  const pendingFacts = new Map<string, Facts>();
  let isOpen = false;
  let hasReceivedRequest = false;
  return {
    open: () => {
      isOpen = true;
    },
    log: (line) => {
      const { functionId: from, text, error, facts, consoleOutput: said } = parseLogLine(line);
      if (error !== undefined) {
        print(formatErrorLines(from, error, paint));
      } else if (said) {
        print(formatConsoleOutput(from, said, paint));
      } else if (!facts) {
        print(formatErrorLines(from, text, paint));
      } else if (facts.request_id !== undefined) {
        pendingFacts.set(facts.request_id, facts);
        dropOldest(pendingFacts);
      } else if (facts.operation !== 'authorizer' || facts.cause !== undefined) {
        const short = formatWorkerLine(facts, paint);
        if (short !== undefined && (hasReceivedRequest || facts.level === 'ERROR')) print(short);
      }
    },
    onExchange: (exchange) => {
      const { id, receivedAt } = exchange.request;
      const facts = pendingFacts.get(id);
      pendingFacts.delete(id);
      hasReceivedRequest ||= isOpen;
      if (!isOpen && exchange.reply.status < 500) return;
      print(formatRequestLine(exchange, facts, Date.now() - receivedAt.getTime(), paint));
    },
  };
}

/** Creates an output of Lambda's lines, unchanged. */
export const createRawTerminal = (print: (text: string) => void): Terminal => ({
  log: (line) => print(parseLogLine(line).text),
  onExchange: () => {},
  open: () => {},
});

/** Dropped: the line of a request whose client has disconnected. */
function dropOldest(pendingFacts: Map<string, Facts>): void {
  const [oldest] = pendingFacts.keys();
  if (pendingFacts.size > 1000 && oldest !== undefined) pendingFacts.delete(oldest);
}
