import { Problem, toErrorMessage } from '../../lib/problem.ts';
import { clock } from '../../shared/clock.ts';

const maxAttempts = 10;
const maxPauseMilliseconds = 5000;

/**
 * Sends the entries. Retries unprocessed entries with increasing delays. Throws a Problem if a call
 * fails, or if entries remain after ten attempts.
 */
export async function sendUntilProcessed<Entry>(
  entries: Entry[],
  send: (entries: Entry[]) => Promise<Entry[] | undefined>,
): Promise<void> {
  let remaining = entries;
  for (let attempt = 0; remaining.length > 0; attempt++) {
    if (attempt === maxAttempts) throw toProblem('The table is throttled.');
    if (attempt > 0) await clock.sleep(Math.min(50 * 2 ** attempt, maxPauseMilliseconds));
    remaining = await send(remaining).then(
      (unprocessed) => unprocessed ?? [],
      (error) => {
        throw toProblem(toErrorMessage(error));
      },
    );
  }
}

const toProblem = (reason: string) =>
  new Problem(
    `Stopped: ${reason}\nItems already written remain. Run the command again to continue.`,
  );
