import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { toUnsentKeys } from '../../../shared/table/keys/keys.ts';
import { indexes } from '../../../shared/table/keys/names.ts';
import type { ServingCloud } from '../cloud/cloud-process.ts';
import { isAttachment } from './check-files.ts';
import { openDocumentClient, readTable } from './read-table.ts';

const Unsent = v.object({ pk: v.string(), sk: v.string(), id: v.string(), expires_at: v.number() });
const { partition, sort } = indexes.gsi3;

/** Makes the uploads that no message contains expire now, as if 24 hours had passed. */
export async function expireUploads(cloud: ServingCloud): Promise<void> {
  const client = openDocumentClient(cloud);
  const now = Math.floor(Date.now() / 1000);
  const items = (await readTable(cloud)).filter(isAttachment);
  for (const item of items.filter((one) => one.message_id === undefined)) {
    const { pk, sk, id } = v.parse(Unsent, item);
    const { [partition]: unsent, [sort]: expiry } = toUnsentKeys(id, now);
    await client.send(
      new UpdateCommand({
        TableName: cloud.tableName,
        Key: { pk, sk },
        UpdateExpression: `SET expires_at = :now, ${partition} = :unsent, ${sort} = :expiry`,
        ConditionExpression: 'attribute_exists(expires_at)',
        ExpressionAttributeValues: { ':now': now, ':unsent': unsent, ':expiry': expiry },
      }),
    );
  }
  client.destroy();
}
