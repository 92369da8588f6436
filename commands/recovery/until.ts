import type { RecoveryTools } from './tools.ts';

const pollMilliseconds = 20_000;

/**
 * Calls `look` repeatedly until it returns a value. Prints every minute what it is waiting for, and
 * for how long.
 */
export async function until<Found>(
  { now, sleep, print }: Pick<RecoveryTools, 'now' | 'sleep' | 'print'>,
  what: string,
  look: () => Promise<Found | undefined>,
): Promise<Found> {
  const start = now();
  let said = 0;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    const minutes = Math.floor((now() - start) / 60_000);
    if (minutes >= said) {
      print(minutes === 0 ? `Waiting for ${what} …` : `  ${what}: ${minutes} min`);
      said = minutes + 1;
    }
    await sleep(pollMilliseconds);
  }
}
