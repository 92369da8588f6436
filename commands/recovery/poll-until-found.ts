import type { RecoveryTools } from './recovery-tools.ts';

const pollMilliseconds = 20_000;

/**
 * Calls `read` every 20 seconds until it returns a value. Prints the label when the wait starts,
 * and the elapsed time every minute.
 */
export async function pollUntilFound<Found>(
  { now, sleep, print }: Pick<RecoveryTools, 'now' | 'sleep' | 'print'>,
  label: string,
  read: () => Promise<Found | undefined>,
): Promise<Found> {
  const start = now();
  let nextReport = 0;
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    const minutes = Math.floor((now() - start) / 60_000);
    if (minutes >= nextReport) {
      print(minutes === 0 ? `Waiting for ${label} …` : `  ${label}: ${minutes} min`);
      nextReport = minutes + 1;
    }
    await sleep(pollMilliseconds);
  }
}
