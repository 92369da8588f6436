import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** What these commands need of the world: the tables, time, and somebody who reads what they say. */
export interface World {
  client: DynamoDBClient;
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  print(line: string): void;
}

const pollMilliseconds = 20_000;

/**
 * Asks again and again until `look` gives something, and says every minute what it is waiting for, and how long it has.
 */
export async function until<Found>(
  { now, sleep, print }: World,
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
