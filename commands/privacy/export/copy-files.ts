import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { requirePosition, toFileKey } from '../../../shared/table/attachments/attachment-item.ts';
import type { RunningStage } from '../../stage/running-stage.ts';
import type { ExportRecord } from './export-records.ts';

/** Permission modes that allow access only by the owner. */
const modes = { folder: 0o700, file: 0o600 };

/** Copies the files of upload records. Returns all records, with the names of the copies. */
export type CopyFiles = (records: readonly ExportRecord[]) => Promise<ExportRecord[]>;

/**
 * Returns a function that copies files to a folder, one at a time. Skips infected files and files
 * that are already in the folder. If the stage has no bucket, copies nothing.
 */
export function createFileCopier({ findOutput, s3 }: RunningStage, folder: string): CopyFiles {
  const Bucket = findOutput('FilesBucket');
  if (Bucket === undefined) return async (records) => [...records];
  const client = new S3Client(s3);
  const copy = async (id: string): Promise<string | null> => {
    const path = join(folder, id);
    if (existsSync(path)) return id;
    const Key = toFileKey(requirePosition(id));
    const found = await client.send(new GetObjectCommand({ Bucket, Key })).catch((error) => {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    });
    if (!(found?.Body instanceof Readable)) return null;
    await mkdir(folder, { recursive: true, mode: modes.folder });
    await pipeline(found.Body, createWriteStream(`${path}.part`, { mode: modes.file }));
    await rename(`${path}.part`, path);
    return id;
  };
  return async (records) => {
    const written: ExportRecord[] = [];
    for (const one of records) {
      const isCopied = one.kind === 'upload' && one.status !== 'infected';
      written.push(isCopied ? { ...one, file: await copy(one.id) } : one);
    }
    return written;
  };
}
