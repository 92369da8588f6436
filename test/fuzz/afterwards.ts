import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { linkedAddress } from '../oracle/page.ts';
import { differs, get } from './consequences.ts';
import { headerOf, parsed } from './judge.ts';
import type { Person } from './person.ts';
import type { World } from './world.ts';

const Page = v.object({
  has_more: v.boolean(),
  data: v.array(v.looseObject({ id: v.string() })),
});

/** The planted thing of that number is as its owner last saw it: a question that costs next to nothing. */
export async function plantedThingChanged(
  { planted, ...world }: World,
  n: number,
): Promise<string | undefined> {
  const all = [...planted.seen];
  const [path, { etag }] = all[n % all.length] ?? ['', { etag: '' }];
  const { status } = await get({ planted, ...world }, planted.owner, path, {
    'If-None-Match': etag,
  });
  return status === 304 ? undefined : `The planted ${path} has changed.`;
}

/** At the end, what the people with the secrets see is to the letter what they saw. */
export async function plantedChanges(world: World): Promise<string[]> {
  const changes: string[] = [];
  for (const [path, { body }] of world.planted.seen) {
    const now = parsed((await get(world, world.planted.owner, path)).body);
    if (!isDeepStrictEqual(now, body)) changes.push(`${path} is now ${JSON.stringify(now)}`);
  }
  for (const id of world.planted.conversations) {
    const listed = await idsOf(world, world.planted.owner, `/v1/messages?conversation_id=${id}`);
    const planted = world.planted.messages.filter((one) => one.startsWith(id)).reverse();
    if (!isDeepStrictEqual(listed, planted)) changes.push(`${id} has the messages ${listed}`);
  }
  return changes;
}

/** At the end there is what was accepted, as it was accepted, and nothing else. */
export async function differencesFromLedger(world: World): Promise<string[]> {
  const { ledger, people } = world;
  const wrong: string[] = [];
  for (const who of people) {
    const expected = [...ledger.conversations.values()].filter(({ id }) =>
      ledger.visible(id, who.id),
    );
    const listed = await idsOf(world, who, '/v1/conversations?');
    const ids = expected.map(({ id }) => id);
    if (!isDeepStrictEqual(listed.toSorted(), ids.toSorted())) {
      wrong.push(
        `${who.id} has other conversations than were accepted: ${differenceOf(listed, ids)}`,
      );
    }
  }
  for (const { id, deleted } of ledger.conversations.values()) {
    const who = people.find((one) => ledger.visible(id, one.id)) ?? people[0];
    if (!who) continue;
    if (deleted) {
      const { status } = await get(world, who, `/v1/conversations/${id}`);
      if (status !== 404) wrong.push(`${id} was deleted, and answers ${status}`);
      continue;
    }
    if (!ledger.visible(id, who.id)) continue;
    const listed = await idsOf(world, who, `/v1/messages?conversation_id=${id}`, (thing) => {
      const reply = { status: 200, headers: [], body: JSON.stringify(thing) };
      const difference = differs(reply, who, world);
      if (difference) wrong.push(difference);
    });
    const expected = [...ledger.messages.values()].filter(
      (one) => one.conversation_id === id && !one.deleted,
    );
    const ids = expected.map((one) => one.id);
    if (!isDeepStrictEqual(listed.toSorted(), ids.toSorted())) {
      wrong.push(`${id} has other messages than were accepted: ${differenceOf(listed, ids)}`);
    }
  }
  return wrong;
}

const differenceOf = (listed: string[], expected: string[]) =>
  JSON.stringify({
    tooMany: listed.filter((id) => !expected.includes(id)),
    missing: expected.filter((id) => !listed.includes(id)),
  });

/** All ids of a list, as its links lead through it. */
async function idsOf(
  world: World,
  who: Person,
  list: string,
  look: (thing: object) => void = () => {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let path: string | undefined = `${list}&limit=100`; path !== undefined; ) {
    const reply = await get(world, who, path);
    const page = v.parse(Page, parsed(reply.body));
    for (const thing of page.data) {
      ids.push(thing.id);
      look(thing);
    }
    const next = linkedAddress(headerOf(reply, 'Link'), 'next');
    path = next && next.pathname + next.search;
  }
  return ids;
}
