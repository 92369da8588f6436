import { Problem, toErrorMessage } from '../../lib/problem.ts';
import type { Engine } from './engine-process.ts';
import { startTableEngine } from './table-engine.ts';

export interface TableServer {
  /** Endpoint of the engine. A restart does not change it. */
  endpoint: string;
  /** Resolves with the reason if the engine has ended and is not restarted. */
  failed: Promise<Problem>;
  stop(): Promise<void>;
}

/**
 * Number of crashes within a minute after which the local cloud stops. Further restarts would not
 * fix the cause.
 */
const maxCrashes = 3;
const crashWindowMilliseconds = 60_000;

/**
 * Runs the table engine. If the data is in a folder, restarts the engine after a crash. If the data
 * is in memory, a crash loses the data, and `failed` resolves.
 */
export async function startTableServer(
  directory: string | undefined,
  warn: (line: string) => void,
): Promise<TableServer> {
  const options = directory ? { directory } : {};
  const first = await startTableEngine(options, warn);
  const { endpoint } = first;
  let latest: Promise<Engine> = Promise.resolve(first);
  let stopping = false;

  const watch = async (): Promise<Problem> => {
    const crashes: number[] = [];
    for (;;) {
      const crash = await (await latest).crashed;
      if (!directory) {
        return new Problem(
          `${crash}\nThe data was in memory and is lost, so the local cloud stops.`,
        );
      }
      crashes.push(Date.now());
      if (Date.now() - (crashes.at(-maxCrashes) ?? 0) < crashWindowMilliseconds) {
        return new Problem(
          `${crash}\nThe engine crashed ${maxCrashes} times within a minute, so the local cloud stops. The data is in ${directory}.`,
        );
      }
      // If the engine crashes while `stop` runs, neither restarts the engine nor reports the crash.
      if (stopping) return new Promise(() => {});
      warn(`${crash}\nThe data is on disk, so the engine restarts. Meanwhile, requests get 503.`);
      latest = startTableEngine({ ...options, port: Number(new URL(endpoint).port) }, warn);
      await latest;
      warn('The table is available again.');
    }
  };
  return {
    endpoint,
    failed: watch().catch((error) => new Problem(toErrorMessage(error))),
    stop: async () => {
      stopping = true;
      await latest.then(
        (server) => server.stop(),
        () => {},
      );
    },
  };
}
