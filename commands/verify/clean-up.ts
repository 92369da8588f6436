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

/** Lists follow what is done within a moment: what one look still shows is gone at the next. */
const maxScans = 30;

/** Takes away what the people of this run have made, and then the people. */
export const cleanUp = (subject: Subject): Check => ({
  name: 'Cleaned up: nothing of these users is left',
  expected: 'no conversation, no contact, no user',
  cure: 'delete what is left by hand: users and groups that begin with verify-',
  look: async () => {
    const people = needed(subject.people, noPeople(subject));
    const remove = needed(people.remove, 'ANN, BOB and CAROL are given: what they have made stays');
    const faults: string[] = [];
    const denials: string[] = [];
    // Whatever cannot be taken away, the rest is.
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
    if (denials.length > 0) throw new NotCheckable(`some of it is left: ${denials.join('; ')}`);
    return `${deleted} conversations and ${items} items of theirs deleted`;
  },
});

/** Gives how many; throws when some cannot be deleted. */
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
        // Whoever may not delete it takes part in what another of them has made.
        if ((await send(url, person, deleteConversation, { path })).status === 200) deleted.add(id);
      }
    }
    if (seen === 0) return deleted.size;
    if (looks > 0) await new Promise((done) => setTimeout(done, 1000));
  }
  throw new Differs('their lists of conversations do not become empty');
}

/** The contact, and the first replies to its requests. */
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
