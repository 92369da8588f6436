import type { OnExchange } from '../gateway/request/exchange.ts';
import {
  formatConsoleOutput,
  formatErrorLines,
  formatRequestLine,
  formatWorkerLine,
} from './format-lines.ts';
import type { Paint } from './paint.ts';
import { type Facts, parseLogLine } from './parse-log-line.ts';

/** Output of `npm start`: a line per request, and per worker invocation that had an effect. */
export interface Terminal {
  /** Receives the lines that the local cloud logs. */
  log(line: string): void;
  onExchange: OnExchange;
  /**
   * Shows all requests from now on. Before this call, shows only requests that failed with a 5xx
   * status.
   */
  open(): void;
}

/**
 * Creates a terminal with short lines. Functions write their log line before the gateway has the
 * reply, so the terminal stores the line and shows its table usage with the request. Before the
 * first request, workers process demo data, so the terminal shows only their errors.
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

/**
 * Creates a terminal that shows functions' log lines as Lambda writes them, and no request lines.
 */
export const createRawTerminal = (print: (text: string) => void): Terminal => ({
  log: (line) => print(parseLogLine(line).text),
  onExchange: () => {},
  open: () => {},
});

/**
 * Drops the oldest line if there are more than 1000. Its request probably got no reply, because the
 * client disconnected.
 */
function dropOldest(pendingFacts: Map<string, Facts>): void {
  const [oldest] = pendingFacts.keys();
  if (pendingFacts.size > 1000 && oldest !== undefined) pendingFacts.delete(oldest);
}
