import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { clock } from '../../shared/clock.ts';
import type { AttachmentPosition } from '../../shared/ids.ts';
import {
  parseFileKey,
  toFileKey,
  toThumbnailKey,
} from '../../shared/table/attachments/attachment-item.ts';
import { attachmentKey, type Key, parseAttachmentKey } from '../../shared/table/keys/keys.ts';
import {
  attachmentIdsAttribute,
  filePrefix,
  idAttribute,
  thumbnailPrefix,
} from '../../shared/table/keys/names.ts';
import { getItems } from '../stage/batch-items.ts';
import type { RunningStage } from '../stage/running-stage.ts';
import type { StageTable } from '../stage/stage-table.ts';

export interface RedrivenFiles {
  /** Number of deleted messages resent to the purge worker because they still have files. */
  messages: number;
  /** Number of removed S3 objects that had no item in the table. */
  orphans: number;
}

/**
 * Minimum age of a file in milliseconds. A younger file may belong to an unfinished upload or
 * removal.
 */
const minOrphanAge = 2 * 24 * 60 * 60_000;

const Keys = v.array(v.object({ pk: v.string(), sk: v.string() }));

/**
 * Resends to the purge worker the deleted messages that still have files. Also removes objects that
 * are older than two days and have no item. Idempotent. Scans the table and lists the bucket. If
 * the stage has no attachments, returns undefined.
 */
export async function redriveFiles(
  { findOutput, s3 }: RunningStage,
  table: StageTable,
): Promise<RedrivenFiles | undefined> {
  const bucket = findOutput('FilesBucket');
  if (bucket === undefined) return undefined;
  const client = new S3Client(s3);
  try {
    const messages = await touchTombstones(table);
    let orphans = 0;
    for (const prefix of [filePrefix, thumbnailPrefix]) {
      orphans += await removeOrphans(table, client, bucket, prefix);
    }
    return { messages, orphans };
  } finally {
    client.destroy();
  }
}

async function touchTombstones({ client, name }: StageTable): Promise<number> {
  let touched = 0;
  const pages = paginateScan(
    { client },
    {
      TableName: name,
      FilterExpression: `attribute_exists(${attachmentIdsAttribute}) AND attribute_not_exists(${idAttribute})`,
      ProjectionExpression: 'pk, sk',
    },
  );
  for await (const { Items = [] } of pages) {
    for (const Key of v.parse(Keys, Items)) if (await touch({ client, name }, Key)) touched += 1;
  }
  return touched;
}

/**
 * Updates the tombstone, so that the stream invokes the purge worker. Returns false if the files
 * have been removed in the meantime.
 */
async function touch({ client, name }: StageTable, Key: Key): Promise<boolean> {
  const command = new UpdateCommand({
    TableName: name,
    Key,
    UpdateExpression: 'SET deleted_at = :now',
    ConditionExpression: `attribute_exists(${attachmentIdsAttribute})`,
    ExpressionAttributeValues: { ':now': clock.now() },
  });
  return client.send(command).then(
    () => true,
    (error) => {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    },
  );
}

const toObjectKey = (prefix: string, position: AttachmentPosition) =>
  prefix === thumbnailPrefix ? toThumbnailKey(position) : toFileKey(position);

async function removeOrphans(
  table: StageTable,
  client: S3Client,
  Bucket: string,
  Prefix: string,
): Promise<number> {
  let removed = 0;
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
    const old = Contents.filter(
      ({ LastModified }) => LastModified && clock.now() - LastModified.getTime() > minOrphanAge,
    );
    const positions = old.flatMap(({ Key = '' }) => parseFileKey(Key, Prefix) ?? []);
    const items = await getItems(table, positions.map(attachmentKey));
    const referencedKeys = new Set(
      v
        .parse(Keys, items)
        .flatMap((key) => parseAttachmentKey(key) ?? [])
        .map((position) => toObjectKey(Prefix, position)),
    );
    const keys = positions.map((position) => toObjectKey(Prefix, position));
    for (const Key of keys.filter((key) => !referencedKeys.has(key))) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
      removed += 1;
    }
  }
  return removed;
}
