import type { OnExchange } from '../gateway/exchange.ts';
import { type Facts, readLine } from './facts.ts';
import { errorLines, requestLine, saidLines, workerLine } from './lines.ts';
import type { Paint } from './paint.ts';

/** What a start shows of what goes on: a short line for each request, and for each call of a worker that did something. */
export interface Terminal {
  /** For the local cloud's `log`. */
  log(line: string): void;
  onExchange: OnExchange;
  /** From now on lines are shown: until then only what went wrong. */
  open(): void;
}

/**
 * Functions write their line before the gateway has their reply: it is kept until then, and what it knows of the table is
 * told with the request. Workers are quiet until the first request: what they still have to do of the demo data, or of
 * another day, is nobody's who has just started this.
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

/** Lambda's lines as they are. */
export const rawLines = (print: (text: string) => void): Terminal => ({
  log: (line) => print(readLine(line).text),
  onExchange: () => {},
  open: () => {},
});

/** The line of a request whose client has gone is never asked for. */
function forgetOldest(kept: Map<string, Facts>): void {
  const [oldest] = kept.keys();
  if (kept.size > 1000 && oldest !== undefined) kept.delete(oldest);
}
