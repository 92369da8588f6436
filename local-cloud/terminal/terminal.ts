import type { OnExchange } from '../gateway/exchange.ts';
import { type Facts, readLine } from './facts.ts';
import { errorLines, requestLine, saidLines, workerLine } from './lines.ts';
import type { Paint } from './paint.ts';

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
export function shortLines(print: (text: string) => void, paint: Paint): Terminal {
  const kept = new Map<string, Facts>();
  let isOpen = false;
  let isAsked = false;
  return {
    open: () => {
      isOpen = true;
    },
    log: (line) => {
      const { from, text, facts, said } = readLine(line);
      if (said) {
        print(saidLines(from, said, paint));
      } else if (!facts) {
        print(errorLines(from, text, paint));
      } else if (facts.request_id !== undefined) {
        kept.set(facts.request_id, facts);
        forgetOldest(kept);
      } else if (facts.operation !== 'authorizer' || facts.cause !== undefined) {
        const short = workerLine(facts, paint);
        if (short !== undefined && (isAsked || facts.level === 'ERROR')) print(short);
      }
    },
    onExchange: (exchange) => {
      const { id, receivedAt } = exchange.request;
      const facts = kept.get(id);
      kept.delete(id);
      isAsked ||= isOpen;
      if (!isOpen && exchange.reply.status < 500) return;
      print(requestLine(exchange, facts, Date.now() - receivedAt.getTime(), paint));
    },
  };
}

/** Creates an output of Lambda's lines, unchanged. */
export const rawLines = (print: (text: string) => void): Terminal => ({
  log: (line) => print(readLine(line).text),
  onExchange: () => {},
  open: () => {},
});

/** Dropped: the line of a request whose client has disconnected. */
function forgetOldest(kept: Map<string, Facts>): void {
  const [oldest] = kept.keys();
  if (kept.size > 1000 && oldest !== undefined) kept.delete(oldest);
}
