import { killChild } from '../memory/process-memory.ts';
import { type CloudProcess, startCloudProcess } from './cloud-process.ts';

export interface ApiReply {
  status: number;
  /** Query string of the link to the next page; undefined on the last page. */
  next: string | undefined;
  body: unknown;
}

/** Starts a local cloud whose table is on disk. Tests can kill the cloud's processes. */
export async function startKillableCloud(dataDirectory: string) {
  const start = (): Promise<CloudProcess> => startCloudProcess(dataDirectory, () => {}, 'disk');
  let cloud = await start();
  return {
    getCloud: (): CloudProcess => cloud,
    kills: {
      'the functions’ host': async () => killChild(cloud.pid, 'host'),
      'DynamoDB Local': async () => killChild(cloud.pid, 'java'),
      'the whole local cloud': async () => {
        await cloud.kill();
        cloud = await start();
      },
    },
    restart: async () => {
      await cloud.stop();
      cloud = await start();
    },
    stop: () => cloud.stop(),
    /** Sends a request. Returns `undefined` if no JSON reply arrives within 15 seconds. */
    sendRequest: async (
      { token }: { token: string },
      method: string,
      path: string,
      body?: object,
      headers: Record<string, string> = {},
    ): Promise<ApiReply | undefined> => {
      try {
        const response = await fetch(`${cloud.url}/v1/${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            ...headers,
          },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(15_000),
        });
        const next = /<[^>]*\?([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
        return { status: response.status, next, body: (await response.json()) as unknown };
      } catch {
        return undefined;
      }
    },
  };
}

export type KillableCloud = Awaited<ReturnType<typeof startKillableCloud>>;
