import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import type { EventType } from '../../../shared/contract/event.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { cursorOf, eventsAfter } from '../../support/events.ts';
import fc from '../../support/fast-check.ts';
import { request } from '../../support/handlers.ts';
import { tellAll } from '../../support/live.ts';
import { person } from '../../support/people.ts';
import { sized } from '../../support/size.ts';
import { conversationsOf, list } from '../../support/steps.ts';
import '../../support/table.ts';

let now = Date.now();
beforeAll(() => {
  jest.spyOn(clock, 'now').mockImplementation(() => now);
});
afterAll(() => {
  jest.restoreAllMocks();
});

/** A direct conversation's two, a group's two, a contact that it names, and somebody who takes part in nothing. */
const newCast = (run: string) => {
  const team = `team${run}`;
  const inTeam = { groups: [team] };
  return {
    team,
    people: {
      ann: person(`ann${run}`, inTeam),
      bob: person(`bob${run}`),
      carl: person(`carl${run}`, inTeam),
      dora: person(`dora${run}`),
      eve: person(`eve${run}`, { groups: [`other${run}`] }),
    },
  };
};
type Cast = ReturnType<typeof newCast>;

type Who = keyof Cast['people'];
const names = ['ann', 'bob', 'carl', 'dora', 'eve'] as const satisfies Who[];

/** Of what the person sees, the newest conversation and message. */
interface Place {
  conversation_id: string;
  message_id: string;
  cast: Cast;
  me: Caller;
}
type Act = (place: Place) => {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
};

/** Of each operation all that may change something: one that the contract gains has to be thought of here. */
const acts: Record<(typeof operations)[number]['id'], Record<string, Act>> = {
  'conversations/create': {
    direct: ({ cast }) => ({ body: { contact_id: cast.people.bob.id } }),
    group: ({ cast }) => ({ body: { group_id: cast.team } }),
    named: ({ cast }) => ({ body: { group_id: cast.team, contact_id: cast.people.dora.id } }),
    oneself: ({ cast }) => ({ body: { contact_id: cast.people.ann.id } }),
  },
  'conversations/retrieve': {},
  'conversations/list': {},
  'conversations/update': {
    pin: ({ conversation_id, message_id }) => ({
      path: { conversation_id },
      body: { pinned_message_id: message_id },
    }),
    unpin: ({ conversation_id }) => ({
      path: { conversation_id },
      body: { pinned_message_id: null },
    }),
    mute: ({ conversation_id }) => ({
      path: { conversation_id },
      body: { is_muted: true },
    }),
    flags: ({ conversation_id, message_id }) => ({
      path: { conversation_id },
      body: { is_pinned: true, archived_at: 5, pinned_message_id: message_id },
    }),
    unflag: ({ conversation_id }) => ({
      path: { conversation_id },
      body: { is_muted: false, is_pinned: false, archived_at: null },
    }),
  },
  'conversations/delete': {
    delete: ({ conversation_id }) => ({ path: { conversation_id } }),
  },
  'messages/send': {
    send: ({ conversation_id }) => ({ body: { conversation_id, message: 'Hello' } }),
  },
  'messages/list': {
    open: ({ conversation_id }) => ({ query: { conversation_id } }),
    look: () => ({}),
  },
  'messages/retrieve': { read: ({ message_id }) => ({ path: { message_id } }) },
  'messages/update': {
    edit: ({ message_id }) => ({
      path: { message_id },
      body: { message: `edited ${now}`, attachments: [{ name: 'a' }] },
    }),
    react: ({ message_id, me }) => ({ path: { message_id }, body: { reactions: { ok: [me.id] } } }),
    'take it back': ({ message_id }) => ({ path: { message_id }, body: { reactions: { ok: [] } } }),
  },
  'messages/delete': { delete: ({ message_id }) => ({ path: { message_id } }) },
  'business/list': {},
  'events/list': {},
  'contacts/retrieve': {},
  'live/retrieve': {},
};

const rows: readonly Operation[] = operations;
const everyAct = rows.flatMap((row) =>
  Object.entries(acts).flatMap(([id, some]) =>
    id === row.id ? Object.entries(some).map(([name, act]) => ({ row, name, act })) : [],
  ),
);

const nameOf = ({ row, name }: (typeof everyAct)[number]) => `${row.id} ${name}`;

const called = (wanted: string) => {
  const act = everyAct.find((one) => nameOf(one) === wanted);
  if (!act) throw new Error(`Nobody knows how to do '${wanted}'.`);
  return act;
};

/** What somebody sees, by its id: each conversation and each message of theirs, without the profiles of contacts. */
type Sight = ReadonlyMap<string, Record<string, unknown>>;

async function sightOf(as: Caller): Promise<Sight> {
  const { data } = await conversationsOf(as, { limit: '100' });
  const pages = await Promise.all(
    data.map(({ id }) => list(as, id, { limit: '100', peek: 'true' })),
  );
  const messages = pages.flatMap((page) => page.data.map(withoutProfile));
  return new Map([...data, ...messages].map((one) => [one.id, one]));
}

const withoutProfile = <Thing extends object>(thing: Thing) => ({
  ...thing,
  ...('contact' in thing && { contact: '' }),
});

/** That somebody sent is told by the message. */
const withoutActivity = (thing: object | undefined) =>
  thing && JSON.stringify({ ...thing, last_active_at: 0 });

const isMessage = (id: string) => id.length > 26;

/** What the feed has to tell whoever saw one thing and now sees another, by its id. */
function toBeTold(before: Sight, after: Sight): Map<string, { type: EventType; payload: object }> {
  const told = new Map<string, { type: EventType; payload: object }>();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(id), after.get(id)];
    const kind = isMessage(id) ? 'message' : 'conversation';
    if (is && withoutActivity(was) !== withoutActivity(is)) {
      told.set(id, { type: `${kind}.${was ? 'updated' : 'created'}`, payload: is });
    }
    if (is || !was) continue;
    const { conversation_id } = was;
    // With a conversation all its messages are gone, which nobody needs to be told of each.
    if (kind === 'message' && !after.has(String(conversation_id))) continue;
    const payload = { id, ...(kind === 'message' && { conversation_id }), deleted: true };
    told.set(id, { type: `${kind}.deleted`, payload });
  }
  return told;
}

const seenTypes = new Set<string>();

/** Somebody with what they saw last, and how far they have read. */
interface Reader {
  as: Caller;
  cursor: string;
  sight: Sight;
  versions: Map<string, number>;
}

async function expectTold(reader: Reader): Promise<void> {
  const { as } = reader;
  const after = await sightOf(as);
  const { events, cursor } = await eventsAfter(as, reader.cursor, 5);
  const told = new Map<string, { type: EventType; payload: object }>();
  for (const { type, payload, version } of events) {
    if (!payload) throw new Error('An event of the feed has no payload.');
    seenTypes.add(type);
    // Who is in a group and named in its conversation is told in both feeds.
    const known = reader.versions.get(payload.id) ?? 0;
    // That a thing is deleted counts whatever the version.
    if (!('deleted' in payload)) {
      expect(version).toBeGreaterThan(told.has(payload.id) ? known - 1 : known);
    }
    reader.versions.set(payload.id, version);
    const first = told.get(payload.id)?.type;
    told.set(payload.id, { type: first ?? type, payload: withoutProfile(payload) });
  }
  expect(told).toEqual(toBeTold(reader.sight, after));
  Object.assign(reader, { cursor, sight: after });
}

let runs = 0;

async function play(steps: readonly { who: Who; does: string }[]) {
  const cast = newCast(`-${runs++}`);
  const readers = Object.fromEntries(
    await Promise.all(
      names.map(async (name): Promise<[string, Reader]> => {
        const as = cast.people[name];
        return [name, { as, cursor: await cursorOf(as), sight: new Map(), versions: new Map() }];
      }),
    ),
  );
  for (const { who, does } of steps) {
    const { row, act } = called(does);
    now += 61_000;
    const me = cast.people[who];
    const ids = [...(readers[who]?.sight.keys() ?? [])].sort();
    const place = {
      conversation_id: ids.findLast((id) => !isMessage(id)) ?? '0'.repeat(26),
      message_id: ids.findLast(isMessage) ?? '0'.repeat(44),
      cast,
      me,
    };
    await request(row, { as: me, ...act(place) });
    await tellAll();
    await Promise.all(Object.values(readers).map(expectTold));
  }
}

const script = (...steps: [Who, string][]) => steps.map(([who, does]) => ({ who, does }));

/** Every type of event, in each kind of conversation. */
const story = (kind: string, other: Who) =>
  script(
    ['ann', `conversations/create ${kind}`],
    ['ann', 'messages/send send'],
    [other, 'messages/list open'],
    [other, 'messages/update react'],
    ['ann', 'messages/update edit'],
    [other, 'conversations/update flags'],
    ['ann', 'messages/send send'],
    [other, 'messages/retrieve read'],
    ['ann', 'messages/delete delete'],
    [other, 'conversations/update unflag'],
    ['ann', 'conversations/update unpin'],
    ['ann', 'conversations/delete delete'],
  );

const steps = fc.array(
  fc.record({ who: fc.constantFrom(...names), does: fc.constantFrom(...everyAct.map(nameOf)) }),
  { minLength: 1, maxLength: 12 },
);

test('every change that lists and retrieves can show is told to everybody who sees it, and to nobody else', async () => {
  await fc.assert(fc.asyncProperty(steps, play), {
    numRuns: sized(4, 200),
    endOnFailure: true,
    examples: [
      [story('direct', 'bob')],
      [story('group', 'carl')],
      [story('named', 'dora')],
      [story('oneself', 'ann')],
    ],
  });
  expect([...seenTypes].sort()).toEqual([
    'conversation.created',
    'conversation.deleted',
    'conversation.updated',
    'message.created',
    'message.deleted',
    'message.updated',
  ]);
}, 300_000);
