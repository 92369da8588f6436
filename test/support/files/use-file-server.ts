/** Runs the local S3 for the importing test file and allows all requests. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { RunningStage } from '../../../commands/stage/running-stage.ts';
import { startObjectServer } from '../../../local-cloud/objects/object-server.ts';
import { type ObjectStore, openObjectStore } from '../../../local-cloud/objects/object-store.ts';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { createAttachment } from '../../../shared/contract/operations.ts';
import type { NewAttachment } from '../../../shared/contract/resources/attachment.ts';
import { env } from '../../../shared/env.ts';
import { ok } from '../handlers/invoke-handler.ts';

const bucket = { name: 'files', arn: 'arn:aws:s3:::files', corsRules: [], deniesReplacing: true };
const caller = { functionId: 'test', session: 'test', decide: () => 'allow' as const };

let opened: ObjectStore | undefined;
let directory = '';
let stop = async () => {};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'files-'));
  opened = await openObjectStore(directory);
  const server = await startObjectServer({
    bucket,
    store: opened,
    region: env('AWS_REGION'),
    callers: new Map([[env('AWS_ACCESS_KEY_ID'), caller]]),
    now: () => clock.now(),
  });
  Object.assign(process.env, server.variables);
  stop = server.stop;
});

afterAll(async () => {
  await stop();
  await rm(directory, { recursive: true });
});

export function getObjectStore(): ObjectStore {
  if (!opened) throw new Error('The local S3 is not running.');
  return opened;
}

/** Returns a stage for commands that use the test's S3. */
export const toFileStage = (): RunningStage => ({
  output: () => '',
  findOutput: (name) => (name === 'FilesBucket' ? bucket.name : undefined),
  dynamodb: {},
  sqs: {},
  ssm: {},
  s3: {
    endpoint: new URL(env('FILES_URL')).origin,
    region: env('AWS_REGION'),
    credentials: { accessKeyId: env('AWS_ACCESS_KEY_ID'), secretAccessKey: 'local' },
    forcePathStyle: true,
    // The server uses the functions' clock.
    systemClockOffset: clock.now() - Date.now(),
  },
});

export const getFiles = (): Promise<string[]> => getObjectStore().list('');

export const describeFile = (conversation_id: string, content: string | Buffer) => ({
  conversation_id,
  name: 'note.txt',
  type: 'text/plain',
  size: Buffer.byteLength(content),
  sha256: createHash('sha256').update(content).digest('base64'),
});

export async function putFile(
  { upload }: NewAttachment,
  content: string | Buffer,
): Promise<number> {
  const { method, url, headers } = upload;
  const body = typeof content === 'string' ? content : new Uint8Array(content);
  return (await fetch(url, { method, headers, body })).status;
}

export async function upload(as: Caller, conversationId: string, text = 'Hello'): Promise<string> {
  const created = await ok(createAttachment, { as, body: describeFile(conversationId, text) });
  const status = await putFile(created, text);
  if (status !== 200) throw new Error(`The upload returned ${status}.`);
  return created.id;
}
