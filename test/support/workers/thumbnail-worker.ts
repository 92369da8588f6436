/** Runs the thumbnail worker in the importing test file. Bundles the resizing program first. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { build } from 'esbuild';
import { handler } from '../../../functions/thumbnails.ts';
import { bundleOptions } from '../../../lib/bundle-functions.ts';
import type { Caller } from '../../../shared/caller.ts';
import { createAttachment } from '../../../shared/contract/operations.ts';
import { describeFile, putFile } from '../files/use-file-server.ts';
import { ok } from '../handlers/invoke-handler.ts';
import { toScanEvent } from './scan-worker.ts';

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'thumbnails-'));
  await build(bundleOptions(['thumbnails'], directory, true));
  process.env.LAMBDA_TASK_ROOT = join(directory, 'thumbnails');
});

afterAll(() => rm(directory, { recursive: true }));

export const toObjectKey = (prefix: 'files' | 'thumbnails', attachmentId: string) =>
  `${prefix}/${attachmentId.slice(0, 26)}/${attachmentId.slice(26)}`;

/** Invokes the worker with a scan event for a clean file. */
export const makeThumbnailOf = (attachmentId: string): Promise<void> =>
  runThumbnailWorker(toScanEvent(toObjectKey('files', attachmentId), 'NO_THREATS_FOUND'));

export async function runThumbnailWorker(event: unknown): Promise<void> {
  const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => 60_000 };
  await handler(event, context as Context);
}

export async function uploadImage(
  as: Caller,
  conversationId: string,
  bytes: Buffer,
  type = 'image/png',
): Promise<string> {
  const description = describeFile(conversationId, bytes);
  const created = await ok(createAttachment, { as, body: { ...description, type } });
  const status = await putFile(created, bytes);
  if (status !== 200) throw new Error(`The upload returned ${status}.`);
  return created.id;
}
