import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Cloud, type CloudOptions, startCloud } from '../../local-cloud/cloud.ts';

export async function withCloud(
  options: Pick<CloudOptions, 'assembly' | 'log'>,
  action: (cloud: Cloud) => Promise<void>,
): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'messaging-benchmark-'));
  const cloud = await startCloud({ ...options, port: 0, inMemory: true, dataDirectory });
  try {
    await action(cloud);
  } finally {
    await cloud.stop();
    await rm(dataDirectory, { recursive: true });
  }
}

const Created = v.object({ id: v.string() });

export async function createPerson({ url, token }: Cloud, id: string, groups: string[] = []) {
  const shown = await token(id, { groups });
  const headers = { Authorization: `Bearer ${shown}` };
  const post = async (path: string, fields: Record<string, string>): Promise<string> => {
    const body = new URLSearchParams(fields);
    const response = await fetch(`${url}/v1/${path}`, { method: 'POST', headers, body });
    return v.parse(Created, await response.json()).id;
  };
  return {
    token: shown,
    get: (path: string) => fetch(new URL(path, url), { headers }),
    post,
    send: (conversation_id: string, message: string) =>
      post('messages', { conversation_id, message }),
  };
}

export type Person = Awaited<ReturnType<typeof createPerson>>;
