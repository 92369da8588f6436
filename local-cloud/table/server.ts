import { messageOf, Problem } from '../../lib/problem.ts';
import { type DynamoDbLocal, startDynamoDbLocal } from './dynamodb-local.ts';

export interface TableServer {
  /** Stays the same when it is started again. */
  endpoint: string;
  /** Settles when it has died for good, and says why. */
  failed: Promise<Problem>;
  stop(): Promise<void>;
}

/** So many deaths in so short a time have a cause that another start does not take away. */
const maxDeaths = 3;
const withinMilliseconds = 60_000;

/**
 * DynamoDB Local, which is started again when it dies (Java may run out of memory, or be killed), as long as its data is
 * in that folder; without a folder its data dies with it. Each death is said once.
 */
export async function startTableServer(
  directory: string | undefined,
  warn: (line: string) => void,
): Promise<TableServer> {
  const options = { shared: true, ...(directory && { directory }) };
  const first = await startDynamoDbLocal(options);
  const { endpoint } = first;
  let latest: Promise<DynamoDbLocal> = Promise.resolve(first);
  let stopping = false;

  const watch = async (): Promise<Problem> => {
    const deaths: number[] = [];
    for (;;) {
      const death = await (await latest).died;
      if (!directory) {
        return new Problem(
          `${death}\nThe data was in memory and is lost, so the local cloud ends.`,
        );
      }
      deaths.push(Date.now());
      if (Date.now() - (deaths.at(-maxDeaths) ?? 0) < withinMilliseconds) {
        return new Problem(
          `${death}\nThat was ${maxDeaths} times within a minute, so the local cloud ends. The data is in ${directory}.`,
        );
      }
      // Whoever stops it does not want to hear of it.
      if (stopping) return new Promise(() => {});
      warn(`${death}\nThe data is on disk: it is started again. Until then requests get 503.`);
      latest = startDynamoDbLocal({ ...options, port: Number(new URL(endpoint).port) });
      await latest;
      warn('DynamoDB Local serves again.');
    }
  };
  return {
    endpoint,
    failed: watch().catch((error) => new Problem(messageOf(error))),
    stop: async () => {
      stopping = true;
      await latest.then(
        (server) => server.stop(),
        () => {},
      );
    },
  };
}
