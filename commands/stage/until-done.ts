import { messageOf, Problem } from '../../lib/problem.ts';
import { clock } from '../../shared/clock.ts';

const mostTries = 10;
const longestPause = 5000;

/** Sends the parts, and again those that come back because the table is busy, in ever longer intervals. */
export async function untilDone<Part>(
  parts: Part[],
  send: (parts: Part[]) => Promise<Part[] | undefined>,
): Promise<void> {
  let left = parts;
  for (let tries = 0; left.length > 0; tries++) {
    if (tries === mostTries) throw stopped('The table is too busy.');
    if (tries > 0) await clock.sleep(Math.min(50 * 2 ** tries, longestPause));
    left = await send(left).then(
      (undone) => undone ?? [],
      (error) => {
        throw stopped(messageOf(error));
      },
    );
  }
}

const stopped = (why: string) =>
  new Problem(`Stopped: ${why}\nWhat is written stays. Run the command again to go on.`);
