import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { ServingCloud } from '../cloud/cloud-process.ts';
import { isAttachment } from './check-files.ts';
import { openDocumentClient, readTable } from './read-table.ts';

const Unsent = v.object({
  pk: v.string(),
  sk: v.string(),
  expires_at: v.number(),
  gsi3sk: v.string(),
});

/** Makes unsent uploads expire now, as if 24 hours had passed. */
export async function expireUploads(cloud: ServingCloud): Promise<void> {
  const client = openDocumentClient(cloud);
  const now = Math.floor(Date.now() / 1000);
  for (const item of (await readTable(cloud)).filter(isAttachment)) {
    if (item.message_id !== undefined) continue;
    const { pk, sk, gsi3sk } = v.parse(Unsent, item);
    const milliseconds = String(now * 1000).padStart(15, '0');
    await client.send(
      new UpdateCommand({
        TableName: cloud.tableName,
        Key: { pk, sk },
        UpdateExpression: 'SET expires_at = :now, gsi3sk = :expiry',
        ConditionExpression: 'attribute_exists(expires_at)',
        ExpressionAttributeValues: {
          ':now': now,
          ':expiry': gsi3sk.replace(/^\d+/, milliseconds),
        },
      }),
    );
  }
  client.destroy();
}
