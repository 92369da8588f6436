import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import { findFeedItemFault } from './check-feed-items.ts';

/**
 * Returns the keys of all items except tombstones, items of deleted conversations, group heads,
 * counts of uploaded bytes (which expire), and feed items without private content.
 */
export async function findRemainingItems({ tableEndpoint, tableName }: Cloud): Promise<string[]> {
  const client = new DynamoDBClient(toLocalServiceConfig(tableEndpoint));
  const { Items = [] } = await client.send(
    new ScanCommand({ TableName: tableName, ConsistentRead: true }),
  );
  client.destroy();
  const items = Items.map((item) => unmarshall(item));
  const purged = new Set(items.flatMap(({ deleted_at, pk }) => (deleted_at ? [pk] : [])));
  const isAnonymous = ({ pk }: Record<string, unknown>) => /^(GROUP|UPLOADS)#/.test(String(pk));
  const isRemaining = (item: Record<string, unknown>) =>
    String(item.pk).startsWith('FEED#')
      ? findFeedItemFault(item) !== undefined
      : ![item.pk, `CONVERSATION#${item.conversation_id}`].some((one) => purged.has(one));
  return items
    .filter((item) => !isAnonymous(item) && isRemaining(item))
    .map(({ pk, sk }) => `${pk} ${sk}`);
}
