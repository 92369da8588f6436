import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Erasure } from '../../../commands/privacy/erase/erase-items.ts';
import { wholeTable } from '../../../commands/privacy/items/read-ranges.ts';
import type { StageTable } from '../../../commands/stage/stage-table.ts';
import type { Caller } from '../../../shared/caller.ts';
import { createConversation, sendMessage } from '../../../shared/contract/operations.ts';
import { env } from '../../../shared/env.ts';
import { type Item, putNew } from '../../../shared/table/calls/access.ts';
import { toStoredEndpoint } from '../../../shared/table/webhooks/endpoint-item.ts';
import {
  changeConversation,
  create,
  list,
  react,
  removeConversation,
  report,
  send,
} from '../../support/handlers/api-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { person } from '../../support/people/callers.ts';
import { documentClient } from '../../support/table/document-client.ts';
import { publishAll } from '../../support/workers/live-worker.ts';

/** The test's table, as commands receive it. */
export const table: StageTable = { name: env('TABLE_NAME'), client: documentClient };

/** Returns an erasure that searches the whole table without an effective rate limit. */
export const toErasure = (id: string, more: Partial<Erasure> = {}): Erasure => ({
  ...{ table, id, ranges: wholeTable, hasEvents: false },
  rates: { reads: 1_000_000, writes: 1_000_000 },
  ...more,
});

let fixtures = 0;

export interface PersonFixture {
  ann: Caller;
  bob: Caller;
  cleo: Caller;
  /** The fields from `direct` to `deleted` contain conversation ids. */
  direct: string;
  team: string;
  leftTeam: string;
  named: string;
  self: string;
  deleted: string;
  /** Id of another sender's message to which Bob has reacted. */
  liked: string;
}

/** Creates Bob with data of most types, and other users with data of their own. */
export async function createPersonFixture(): Promise<PersonFixture> {
  fixtures += 1;
  const named = (name: string, groups: string[] = []) =>
    person(`${name}.${fixtures}.`, { groups: groups.map((group) => `${group}${fixtures}`) });
  const bob = named('bob', ['team', 'club']);
  const ann = named('ann', ['team', 'club']);
  const cleo = named('cleo', ['team', 'club', 'board']);

  const { id: direct } = await create(ann, { contact_id: bob.id, distinct: true });
  const hello = await send(ann, direct, 'Hello');
  const reply = await send(bob, direct, 'Hello yourself', {
    attachments: [{ name: 'a.png', url: 'https://example.com/a.png' }],
  });
  await react(bob, hello.id, { thumbsup: [bob.id], heart: [bob.id] });
  await react(ann, hello.id, { thumbsup: [ann.id] });
  await react(ann, reply.id, { heart: [ann.id] });
  await list(bob, direct);
  await list(ann, direct);
  await changeConversation(ann, direct, { is_muted: true });
  await changeConversation(bob, direct, { is_pinned: true, pinned_message_id: reply.id });

  const { id: team } = await create(cleo, { group_id: `team${fixtures}` });
  const { id: liked } = await send(cleo, team, 'To all');
  await send(bob, team, 'From me too');
  await list(bob, team);
  await react(bob, liked, { thumbsup: [bob.id] });
  await react(ann, liked, { thumbsup: [ann.id] });

  const { id: leftTeam } = await create(bob, { group_id: `club${fixtures}` });
  await send(bob, leftTeam, 'Before I go');
  await send(ann, leftTeam, 'Bye');
  await changeConversation(bob, leftTeam, { archived_at: 1 });

  const { id: cleosConversation } = await create(cleo, {
    group_id: `board${fixtures}`,
    contact_id: bob.id,
  });
  await send({ ...bob, groups: [] }, cleosConversation, 'As a guest');
  await send(cleo, cleosConversation, 'Welcome');

  const { id: self } = await create(bob, { contact_id: bob.id, distinct: true });
  await send(bob, self, 'Do not forget');

  const { id: deleted } = await create(bob, { contact_id: ann.id });
  await send(bob, deleted, 'Gone');
  await removeConversation(bob, deleted);

  const keyed = (key: string) => ({ as: bob, headers: { 'Idempotency-Key': key } });
  await ok(sendMessage, {
    ...keyed('one'),
    body: { conversation_id: direct, message: 'Once' },
  });
  await ok(createConversation, { ...keyed('two'), body: { contact_id: cleo.id } });

  await report(bob, { message_id: liked, reason: 'spam', note: 'Not for all' });
  await report(ann, { message_id: reply.id, reason: 'other' });
  await report(ann, { contact_id: bob.id, reason: 'other' });
  await putNew(
    toStoredEndpoint({
      ...{ id: `bob${fixtures}`, url: 'https://bob.example.com/', types: ['message.*'] },
      ...{ contact_id: bob.id, state: 'active', slow_attempts: 0, failures: 0, created_at: 1 },
    }),
  );
  await publishAll();
  return { ann, bob, cleo, direct, team, leftTeam, named: cleosConversation, self, deleted, liked };
}

export async function allItems(): Promise<Item[]> {
  const items: Item[] = [];
  for (let next: Item | undefined, first = true; first || next; first = false) {
    const page = await documentClient.send(
      new ScanCommand({ TableName: table.name, ExclusiveStartKey: next, ConsistentRead: true }),
    );
    items.push(...(page.Items ?? []));
    next = page.LastEvaluatedKey;
  }
  return items;
}

export const itemToText = (item: Item): string =>
  JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value));
