import { beforeEach, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import {
  listReaders,
  operations,
  retrieveConversation,
} from '../../../shared/contract/operations.ts';
import { Conversation } from '../../../shared/contract/resources/conversation.ts';
import {
  type EventType,
  eventTypes,
  type OpenedConversation,
} from '../../../shared/contract/resources/event.ts';
import type { Message } from '../../../shared/contract/resources/message.ts';
import { ReaderPage } from '../../../shared/contract/resources/reader.ts';
import { getConversations, list } from '../../support/handlers/api-calls.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { person } from '../../support/people/callers.ts';
import { createFeedState } from '../../support/processes/feed-state.ts';
import fc from '../../support/setup/fast-check.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

let now = clock.now();
beforeEach(() => {
  jest.spyOn(clock, 'now').mockImplementation(() => now);
});

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

type Name = keyof Cast['people'];
const names = ['ann', 'bob', 'carl', 'dora', 'eve'] as const satisfies Name[];

/**
 * Caller and cast of a step, and the newest conversation and message that the caller can access.
 */
interface Target {
  conversation_id: string;
  message_id: string;
  cast: Cast;
  me: Caller;
}
type Act = (target: Target) => {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: object;
};

type OperationRow = (typeof operations)[number];
type ReadId = Extract<OperationRow, { method: 'GET' }>['id'];
type Acts<Id extends string> = Record<Id, Record<string, Act>>;

/** Variants of each operation that can change data, including reads that mark messages as read. */
const acts: Acts<Exclude<OperationRow['id'], ReadId>> & Partial<Acts<ReadId>> = {
  'conversations/create': {
    direct: ({ cast }) => ({ body: { contact_id: cast.people.bob.id } }),
    group: ({ cast }) => ({ body: { group_id: cast.team } }),
    named: ({ cast }) => ({ body: { group_id: cast.team, contact_id: cast.people.dora.id } }),
    oneself: ({ cast }) => ({ body: { contact_id: cast.people.ann.id } }),
    distinct: ({ cast }) => ({ body: { contact_id: cast.people.bob.id, distinct: true } }),
  },
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
    'read up to': ({ conversation_id, message_id }) => ({
      path: { conversation_id },
      body: { last_read_message_id: message_id },
    }),
    unflag: ({ conversation_id }) => ({
      path: { conversation_id },
      body: { is_muted: false, is_pinned: false, archived_at: null },
    }),
  },
  'conversations/delete': {
    delete: ({ conversation_id }) => ({ path: { conversation_id } }),
  },
  'blocks/create': {
    block: ({ cast }) => ({ path: { contact_id: cast.people.eve.id } }),
  },
  'blocks/delete': {
    unblock: ({ cast }) => ({ path: { contact_id: cast.people.eve.id } }),
  },
  'settings/update': {
    hide: () => ({ body: { share_read_receipts: false } }),
  },
  'messages/send': {
    send: ({ conversation_id }) => ({ body: { conversation_id, message: 'Hello' } }),
    'send with a key': ({ conversation_id }) => ({
      headers: { 'Idempotency-Key': 'one' },
      body: { conversation_id, message: 'Once' },
    }),
  },
  'messages/list': {
    open: ({ conversation_id }) => ({ query: { conversation_id } }),
    listAll: () => ({}),
  },
  'messages/retrieve': { read: ({ message_id }) => ({ path: { message_id } }) },
  'messages/update': {
    edit: ({ message_id }) => ({
      path: { message_id },
      body: { message: `edited ${now}`, attachments: [{ name: 'a' }] },
    }),
    react: ({ message_id, me }) => ({ path: { message_id }, body: { reactions: { ok: [me.id] } } }),
    'remove it': ({ message_id }) => ({ path: { message_id }, body: { reactions: { ok: [] } } }),
  },
  'messages/delete': { delete: ({ message_id }) => ({ path: { message_id } }) },
  'attachments/create': {
    upload: ({ conversation_id }) => ({
      body: {
        conversation_id,
        name: 'a.png',
        type: 'image/png',
        size: 1,
        sha256: '0'.repeat(43).concat('='),
      },
    }),
  },
  'reports/create': {
    report: ({ message_id }) => ({ body: { message_id, reason: 'spam' } }),
  },
  // every-group-change.property.test.ts covers group operations.
  'groups/create': {},
  'groups/update': {},
  'groups/delete': {},
  'members/put': {},
  'members/remove': {},
};

const rows: readonly Operation[] = operations;
const allActs = rows.flatMap((row) =>
  Object.entries(acts).flatMap(([id, variants]) =>
    id === row.id ? Object.entries(variants).map(([name, act]) => ({ row, name, act })) : [],
  ),
);

const nameOf = ({ row, name }: (typeof allActs)[number]) => `${row.id} ${name}`;

const findAct = (name: string) => {
  const act = allActs.find((one) => nameOf(one) === name);
  if (!act) throw new Error(`No step is defined for operation '${name}'.`);
  return act;
};

/** A contact's view, by id: conversations, messages without contact profiles, and openings. */
type View = ReadonlyMap<string, Conversation | Message | OpenedConversation>;

async function getView(as: Caller): Promise<View> {
  const { data } = await getConversations(as, { limit: '100' });
  const pages = await Promise.all(
    data.map(({ id }) => list(as, id, { limit: '100', peek: 'true' })),
  );
  const messages = pages.flatMap((page) => page.data.map(withoutProfile));
  const openings = await Promise.all(
    data.filter(isDirect).map(({ id, contact_id }) => openingOf(as, id, contact_id)),
  );
  return new Map([...data, ...messages, ...openings.flat()].map((one) => [one.id, one]));
}

const isDirect = ({ group_id, contact_id }: Conversation) => !group_id && contact_id;

async function openingOf(as: Caller, conversation_id: string, contactId: string | null) {
  if (contactId === as.id) return [];
  const { body } = await request(listReaders, { as, path: { conversation_id } });
  return v
    .parse(ReaderPage, body)
    .data.filter(({ contact_id }) => contact_id === contactId)
    .map((reader) => ({ id: `${conversation_id}-${contactId}`, conversation_id, ...reader }));
}

const withoutProfile = <Resource extends object>(resource: Resource) => ({
  ...resource,
  ...('contact' in resource && { contact: '' }),
});

/** Serializes a resource without the activity time, which the message event covers. */
const withoutActivity = (resource: object | undefined) =>
  resource && JSON.stringify({ ...resource, last_active_at: 0 });

const isMessage = (id: string) => id.length > 26 && !isOpening(id);
const isOpening = (id: string) => id.includes('-');

const openedAt = (resource: object | undefined) =>
  resource && 'last_opened_at' in resource ? resource.last_opened_at : undefined;

/** Returns, by resource id, the events expected after a contact's view changed. */
function toExpectedEvents(
  before: View,
  after: View,
): Map<string, { type: EventType; payload: object }> {
  const publishedEvents = new Map<string, { type: EventType; payload: object }>();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(id), after.get(id)];
    if (isOpening(id)) {
      // No event is published if the last read message is deleted or the reader hides read
      // receipts.
      if (is && openedAt(was) !== openedAt(is))
        publishedEvents.set(id, { type: 'reader.updated', payload: is });
      continue;
    }
    const kind = isMessage(id) ? 'message' : 'conversation';
    if (is && withoutActivity(was) !== withoutActivity(is)) {
      publishedEvents.set(id, { type: `${kind}.${was ? 'updated' : 'created'}`, payload: is });
    }
    if (is || !was) continue;
    const parent = 'conversation_id' in was ? { conversation_id: was.conversation_id } : undefined;
    // The deletion event of a conversation also covers its messages.
    if (parent && !after.has(parent.conversation_id)) continue;
    const payload = { id, ...parent, deleted: true };
    publishedEvents.set(id, { type: `${kind}.deleted`, payload });
  }
  return publishedEvents;
}

const seenTypes = new Set<string>();

interface Reader {
  as: Caller;
  cursor: string;
  view: View;
  versions: Map<string, number>;
}

async function expectPublished(reader: Reader): Promise<void> {
  const { as } = reader;
  const after = await getView(as);
  const { events, cursor } = await listEventsAfter(as, reader.cursor, 5);
  const publishedEvents = new Map<string, { type: EventType; payload: object }>();
  for (const { type, payload, version } of events) {
    seenTypes.add(type);
    // If there is no payload, an earlier event on the page contains the resource.
    if (!payload) continue;
    // A group member who is also the conversation's contact receives the event in both feeds.
    const known = reader.versions.get(payload.id) ?? 0;
    // A deletion applies regardless of the version.
    if (!('deleted' in payload)) {
      expect(version).toBeGreaterThan(publishedEvents.has(payload.id) ? known - 1 : known);
    }
    reader.versions.set(payload.id, version);
    const first = publishedEvents.get(payload.id)?.type;
    publishedEvents.set(payload.id, { type: first ?? type, payload: withoutProfile(payload) });
  }
  expect(publishedEvents).toEqual(toExpectedEvents(reader.view, after));
  Object.assign(reader, { cursor, view: after });
}

/** Returns the view of a client that was offline and catches up as docs/live.md describes. */
async function catchUp({ as, cursor, view }: Reader): Promise<View> {
  const state = createFeedState();
  const activeAt = new Map<string, number>();
  const raise = (id: string, at: number | null) =>
    at !== null && activeAt.set(id, Math.max(activeAt.get(id) ?? 0, at));
  for (const resource of view.values()) {
    if (isOpening(resource.id)) continue;
    state.apply({ payload: resource, version: 0 });
    if ('last_active_at' in resource) raise(resource.id, resource.last_active_at);
  }
  for (const event of (await listEventsAfter(as, cursor)).events) {
    state.apply(event);
    const { type, payload } = event;
    if (!payload) continue;
    if ('last_active_at' in payload) raise(payload.id, payload.last_active_at);
    if (type !== 'message.created' || !('conversation_id' in payload)) continue;
    const { conversation_id } = payload;
    if ('created_at' in payload) raise(conversation_id, payload.created_at);
    else {
      const call = { as, path: { conversation_id } };
      const { status, body } = await request(retrieveConversation, call);
      if (status === 200) raise(conversation_id, v.parse(Conversation, body).last_active_at);
    }
  }
  const conversations = [...state.conversations().values()].map((one) => ({
    ...one,
    last_active_at: activeAt.get(one.id) ?? null,
  }));
  const messages = [...state.messages().values()].map(withoutProfile);
  return new Map([...conversations, ...messages].map((one) => [one.id, one]));
}

let runs = 0;

async function runSteps(steps: readonly { caller: Name; action: string }[]) {
  const cast = newCast(`-${runs++}`);
  const readers = Object.fromEntries(
    await Promise.all(
      names.map(async (name): Promise<[string, Reader]> => {
        const as = cast.people[name];
        return [
          name,
          { as, cursor: await getLiveCursor(as), view: new Map(), versions: new Map() },
        ];
      }),
    ),
  );
  let offline: Reader[] = [];
  for (const [n, { caller, action }] of steps.entries()) {
    if (n === Math.floor(steps.length / 2))
      offline = Object.values(readers).map((one) => ({ ...one }));
    const { row, act } = findAct(action);
    now += 61_000;
    const me = cast.people[caller];
    const ids = [...(readers[caller]?.view.keys() ?? [])].sort();
    const target = {
      conversation_id: ids.findLast((id) => !isMessage(id)) ?? '0'.repeat(26),
      message_id: ids.findLast(isMessage) ?? '0'.repeat(44),
      cast,
      me,
    };
    await request(row, { as: me, ...act(target) });
    await publishAll();
    await Promise.all(Object.values(readers).map(expectPublished));
  }
  const known = await Promise.all(offline.map(catchUp));
  const seen = Object.values(readers).map(
    ({ view }) => new Map([...view].filter(([id]) => !isOpening(id))),
  );
  expect(known).toEqual(seen);
}

const script = (...steps: [Name, string][]) =>
  steps.map(([caller, action]) => ({ caller, action }));

/** Returns steps that cause every type of conversation and message event. */
const scenario = (kind: string, other: Name) =>
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

/** The last message is deleted before an offline client receives the message's creation event. */
const sentAndDeleted = script(
  ['ann', 'conversations/create direct'],
  ['ann', 'messages/send send'],
  ['ann', 'messages/send send'],
  ['ann', 'messages/delete delete'],
);

const steps = fc.array(
  fc.record({ caller: fc.constantFrom(...names), action: fc.constantFrom(...allActs.map(nameOf)) }),
  { minLength: 1, maxLength: 12 },
);

test('Every visible change to a conversation, message or reader is published to exactly the contacts with access', async () => {
  await fc.assert(fc.asyncProperty(steps, runSteps), {
    numRuns: selectSize(6, 50),
    endOnFailure: true,
    examples: [
      [scenario('direct', 'bob')],
      [scenario('group', 'carl')],
      [scenario('named', 'dora')],
      [scenario('oneself', 'ann')],
      [sentAndDeleted],
    ],
  });
  const types = eventTypes.filter((type) => !type.startsWith('group.'));
  expect([...seenTypes].sort()).toEqual(types.sort());
}, 900_000);
