import { expect } from '@jest/globals';
import { listEvents, retrieveLive } from '../../../../shared/contract/operations.ts';
import { newConversationId } from '../../../../shared/ids.ts';
import type { Inbox } from '../../../../shared/inbox.ts';
import { call as callAs } from '../../../acceptance/support/api.ts';
import { edit, send } from '../../../support/handlers/api-calls.ts';
import { waitUntil } from '../../../support/processes/wait-until.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { type HonestCall, honestCall } from '../../support/honest-call.ts';
import { scenario } from '../../support/scenario.ts';
import { openConversation } from '../../support/seed-history.ts';

/** Bob, with cursors before and after the events that he missed. */
interface OfflineReader {
  bob: Participant;
  cursors: { past: string; now: string };
}

/** Number of events in the baseline: a full page. */
const baselineEvents = 100;

const reads = ({ bob, cursors }: OfflineReader): HonestCall[] => [
  honestCall(
    'list missed events',
    bob,
    listEvents,
    { query: { starting_after: cursors.past } },
    (page) => expect([page.data.length, page.has_more]).toEqual([10, true]),
  ),
  honestCall(
    'list 100 missed events',
    bob,
    listEvents,
    { query: { starting_after: cursors.past, limit: '100' } },
    ({ data }) => {
      const sequences = data.map(({ place }) => place);
      expect(sequences).toEqual(sequences.map((_, n) => (sequences[0] ?? 0) + n));
    },
  ),
  honestCall(
    'list new events',
    bob,
    listEvents,
    { query: { starting_after: cursors.now } },
    ({ data }) => expect(data).toEqual([]),
  ),
  honestCall('retrieve the channels', bob, retrieveLive, {}),
];

/** Appends events to a feed without invoking the live worker. */
async function appendEvents(
  inbox: Inbox,
  entries: { id: string; version: number }[],
  type: 'message.updated' | 'conversation.created',
) {
  const { createFeedWriter: feedWriter } = await import(
    '../../../../shared/table/feed/feed-writer.ts'
  );
  const { formatEntry: entryText } = await import('../../../../shared/table/feed/feed-entry.ts');
  const at = Math.floor(Date.now() / 1000);
  const append = feedWriter();
  for (let from = 0; from < entries.length; from += 500) {
    const batch = entries.slice(from, from + 500);
    await append(
      inbox,
      batch.map((one) => entryText({ ...one, type, at })),
    );
  }
}

const cursorOf = async (participant: Participant): Promise<string> =>
  (await callAs(participant, retrieveLive)).cursor;

const countEvents = async (participant: Participant): Promise<number> =>
  (await callAs(participant, retrieveLive)).channels.reduce((sum, { place }) => sum + place, 0);

/**
 * Timeout in milliseconds. It is long because the live worker publishes earlier scenarios' events
 * first.
 */
const patience = 30 * 60_000;

/** Seeds the events of `count` edits of a message in a group that includes Bob. */
async function seedManyChanges(abuse: AbuseRun, count: number): Promise<OfflineReader> {
  const { id: group } = await abuse.createParticipant('group');
  const [ann, bob] = await Promise.all(
    ['ann', 'bob'].map((name) => abuse.createParticipant(name, { groups: [group] })),
  );
  if (!ann || !bob) throw new Error('The scenario has no participants.');
  const id = await openConversation(ann, { group_id: group });
  const message = await send(ann.caller, id, 'Hello');
  await edit(ann.caller, message.id, { message: 'Hello again' });
  // Waits until the live worker has published the changes above. The events below bypass the
  // worker.
  await waitUntil(async () => (await countEvents(bob)) >= 3, patience);
  const past = await cursorOf(bob);
  const entries = Array.from({ length: count }, (_, n) => ({ id: message.id, version: n + 3 }));
  await appendEvents({ kind: 'group', id: group }, entries, 'message.updated');
  return { bob, cursors: { past, now: await cursorOf(bob) } };
}

/** Seeds the events of `count` conversations that strangers created with Bob and then deleted. */
async function strangers(abuse: AbuseRun, count: number): Promise<OfflineReader> {
  const bob = await abuse.createParticipant('bob');
  const past = await cursorOf(bob);
  const entries = Array.from({ length: count }, () => ({
    id: newConversationId(Date.now()),
    version: 1,
  }));
  await appendEvents({ kind: 'contact', id: bob.id }, entries, 'conversation.created');
  return { bob, cursors: { past, now: await cursorOf(bob) } };
}

export const eventFloods = [
  scenario<OfflineReader>({
    title: 'A member edits a message 10,000 times while another member is offline',
    quiet: (abuse) => seedManyChanges(abuse, baselineEvents),
    abused: (abuse) => seedManyChanges(abuse, abuse.scale(10_000)),
    honestCalls: reads,
  }),
  scenario<OfflineReader>({
    title: 'Strangers create and delete 10,000 conversations with an offline user',
    quiet: (abuse) => strangers(abuse, baselineEvents),
    abused: (abuse) => strangers(abuse, abuse.scale(10_000)),
    honestCalls: reads,
  }),
];
