import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { messageOf } from '../../lib/problem.ts';
import { deleteConversation, listConversations } from '../../shared/contract/operations.ts';
import { contactKey } from '../../shared/table/keys/keys.ts';
import { tableKey } from '../../shared/table/keys/names.ts';
import { removeItems } from '../stage/items.ts';
import type { RunningStage } from '../stage/stage.ts';
import { tableOf } from '../stage/table.ts';
import { type Check, Differs, isDenied, NotCheckable, needed } from './check.ts';
import { call, send } from './client.ts';
import type { Person } from './people.ts';
import { noPeople, noServices, type Subject } from './subject.ts';

/** Lists are eventually consistent, so deletions become visible after a short delay. */
const maxScans = 30;

/** Deletes the data of this run's users, then the users. */
export const cleanUp = (subject: Subject): Check => ({
  name: 'Cleanup: no data of these users remains',
  expected: 'no conversation, no contact, no user',
  cure: 'delete the remaining data manually: users and groups with the prefix verify-',
  look: async () => {
    const people = needed(subject.people, noPeople(subject));
    const remove = needed(people.remove, 'ANN, BOB and CAROL are real accounts: their data stays');
    const faults: string[] = [];
    const denials: string[] = [];
    // Continues after a failure.
    const attempt = async (work: () => Promise<number>) => {
      try {
        return await work();
      } catch (error) {
        (isDenied(error) ? denials : faults).push(messageOf(error));
        return 0;
      }
    };
    const all = Object.values(people.all);
    const deleted = await attempt(() => deleteConversations(subject.url, all));
    let items = 0;
    for (const { id } of subject.running ? all : []) {
      items += await attempt(() => emptyPartition(subject.running, contactKey(id).pk));
    }
    await attempt(async () => {
      await remove();
      return all.length;
    });
    if (faults.length > 0) throw new Differs(faults.join('; '));
    if (denials.length > 0) throw new NotCheckable(`some data remains: ${denials.join('; ')}`);
    return `deleted ${deleted} conversations and ${items} items`;
  },
});

/** Returns the number of deleted conversations. Throws if some cannot be deleted. */
async function deleteConversations(url: string, all: readonly Person[]): Promise<number> {
  const deleted = new Set<string>();
  for (let looks = 0; looks < maxScans; looks += 1) {
    let seen = 0;
    for (const person of all) {
      const { data } = (await call(url, person, listConversations, { query: { limit: '100' } }))
        .reply;
      seen += data.length;
      for (const { id } of data.filter((one) => !deleted.has(one.id))) {
        const path = { conversation_id: id };
        // A participant who may not delete it shares a conversation of another user of this run.
        if ((await send(url, person, deleteConversation, { path })).status === 200) deleted.add(id);
      }
    }
    if (seen === 0) return deleted.size;
    if (looks > 0) await new Promise((done) => setTimeout(done, 1000));
  }
  throw new Differs('conversations remain in their lists');
}

/** The contact and the stored replies of its requests. */
async function emptyPartition(running: RunningStage | undefined, pk: string): Promise<number> {
  const table = tableOf(needed(running, noServices));
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      ConsistentRead: true,
      KeyConditionExpression: '#pk = :pk',
      ProjectionExpression: '#pk, #sk',
      ExpressionAttributeNames: { '#pk': tableKey.partition, '#sk': tableKey.sort },
      ExpressionAttributeValues: { ':pk': pk },
    },
  );
  let count = 0;
  for await (const { Items = [] } of pages) {
    await removeItems(table, Items);
    count += Items.length;
  }
  table.client.destroy();
  return count;
}
