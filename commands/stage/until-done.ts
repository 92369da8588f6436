import { messageOf, Problem } from '../../lib/problem.ts';
import { clock } from '../../shared/clock.ts';

const maxAttempts = 10;
const longestPause = 5000;

/** Sends the parts. Retries those rejected by throttling, with increasing delays. */
export async function untilDone<Part>(
  parts: Part[],
  send: (parts: Part[]) => Promise<Part[] | undefined>,
): Promise<void> {
  let left = parts;
  for (let attempt = 0; left.length > 0; attempt++) {
    if (attempt === maxAttempts) throw stopped('The table is throttled.');
    if (attempt > 0) await clock.sleep(Math.min(50 * 2 ** attempt, longestPause));
    left = await send(left).then(
      (undone) => undone ?? [],
      (error) => {
        throw stopped(messageOf(error));
      },
    );
  }
}

const stopped = (why: string) =>
  new Problem(
    `Stopped: ${why}\nItems already written are kept. Run the command again to continue.`,
  );
