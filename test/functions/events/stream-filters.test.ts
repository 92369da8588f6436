import { beforeAll, expect, jest, test } from '@jest/globals';
import type { StreamRecord } from '../../../local-cloud/streams/stream-event.ts';
import { clock } from '../../../shared/clock.ts';
import { deleteMessage, sendMessage } from '../../../shared/contract/operations.ts';
import { random } from '../../../shared/ids.ts';
import { toBusinessEvents } from '../../../shared/table/businesses/to-business-events.ts';
import { update } from '../../../shared/table/calls/access.ts';
import { removeItem } from '../../../shared/table/calls/remove-items.ts';
import { toTombstoneTouch } from '../../../shared/table/conversations/items/conversation-tombstone.ts';
import { nextEpochUpdate } from '../../../shared/table/feed/next-epoch-update.ts';
import { toChangeEvents } from '../../../shared/table/feed/to-change-event.ts';
import { groupKey } from '../../../shared/table/keys/group-keys.ts';
import { conversationKey, feedMaintenanceKey, type Key } from '../../../shared/table/keys/keys.ts';
import {
  block,
  changeConversation,
  create,
  edit,
  list,
  removeConversation,
  report,
  send,
  unblock,
} from '../../support/handlers/api-calls.ts';
import {
  addMember,
  changeGroup,
  makeGroup,
  removeGroup,
  removeMember,
} from '../../support/handlers/group-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { ann, bob, person } from '../../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import {
  getLiveWorkerFilter,
  getPurgeWorkerFilter,
  readNewRecords,
  runLiveWorker,
} from '../../support/workers/live-worker.ts';
import { purgeKey, runPurgeWorker } from '../../support/workers/purge-worker.ts';
import '../../support/setup/use-table.ts';

let wakes: (record: StreamRecord) => boolean;
let wakesPurge: (record: StreamRecord) => boolean;
/** Records of every kind of change to every kind of item. */
let all: StreamRecord[];
beforeAll(async () => {
  wakes = await getLiveWorkerFilter();
  wakesPurge = await getPurgeWorkerFilter();
  await writeEverything();
  const records = await readNewRecords();
  await runLiveWorker(records.filter(wakes));
  await update(nextEpochUpdate);
  // Removes the maintenance item of Ann's feed, as DynamoDB's TTL would.
  await removeItem(feedMaintenanceKey({ kind: 'contact', id: 'ann' }));
  all = [...records, ...(await readNewRecords())];
});

const has = (image: unknown, name: string) =>
  typeof image === 'object' && image !== null && name in image;

function kindOf({ pk, sk }: Key, image: unknown): string {
  if (image === undefined) return 'nothing';
  if (/^BUSINESS_(INDUSTRY|TITLE|CELL)#/.test(pk)) return 'search entry';
  if (sk === 'CONVERSATION') return has(image, 'id') ? 'conversation' : 'tombstone';
  if (sk === 'GROUP' || sk.startsWith('MEMBERSHIP#')) {
    const kind = sk === 'GROUP' ? 'group' : 'membership';
    return has(image, 'id') ? kind : `ended ${kind}`;
  }
  if (sk.startsWith('MESSAGE#')) {
    if (has(image, 'content_id')) return 'large message';
    return has(image, 'id') ? 'message' : 'message tombstone';
  }
  return sk.split('#', 1)[0]?.toLowerCase() ?? '';
}

/** Returns the transition, for example `nothing → message`. */
function toTransition({ dynamodb }: StreamRecord): string {
  const { pk, sk } = Object(dynamodb.Keys);
  const key = { pk: pk.S, sk: sk.S };
  return `${kindOf(key, dynamodb.OldImage)} → ${kindOf(key, dynamodb.NewImage)}`;
}

function hasEvent({ dynamodb }: StreamRecord): boolean {
  const change = {
    ...{ sequenceNumber: dynamodb.SequenceNumber, at: dynamodb.ApproximateCreationDateTime },
    ...{ before: dynamodb.OldImage, after: dynamodb.NewImage },
  };
  return toChangeEvents(change).length > 0 || toBusinessEvents([change]).length > 0;
}

const isPin = ({ dynamodb }: StreamRecord): boolean =>
  has(dynamodb.OldImage, 'pinned') !== has(dynamodb.NewImage, 'pinned');

/** Makes each kind of change to a group and its memberships, including a purge. */
async function writeGroups(): Promise<void> {
  const { id } = await makeGroup(ann);
  await changeGroup(ann, id, { title: 'Another title' });
  await addMember(ann, id, bob);
  await addMember(ann, id, bob, 'admin');
  await removeMember(ann, id, bob);
  await addMember(ann, id, bob);
  await removeGroup(ann, id);
  const now = clock.now();
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
  for (let runs = 0; runs < 3; runs += 1) {
    jest.spyOn(clock, 'now').mockReturnValue(now + runs * 150_000);
    await purgeKey(groupKey(id));
  }
  jest.restoreAllMocks();
}

async function writeEverything(): Promise<void> {
  const member = person('ann', { groups: ['team'] });
  await seedBusinesses(createBusinessRecord('cafe'));
  await seedBusinesses(createBusinessRecord('cafe', { title: 'Another name' }));
  const { id } = await create(ann, { contact_id: 'bob' });
  await create(member, { group_id: 'team', contact_id: 'bob' });
  const headers = { 'Idempotency-Key': 'once' };
  const body = { conversation_id: id, message: 'Once' };
  const keyed = await ok(sendMessage, { as: ann, headers, body });
  await edit(ann, keyed.id, { message: 'Changed' });
  await list(bob, id);
  await changeConversation(bob, id, { is_muted: true, pinned_message_id: keyed.id });
  await changeConversation(bob, id, { is_muted: false });
  await report(bob, { message_id: keyed.id, reason: 'other' });
  await writeGroups();
  await block(ann, 'bob');
  await list(bob, id);
  await unblock(ann, 'bob');
  const { id: large } = await send(ann, id, 'x'.repeat(2000));
  await edit(ann, large, { message: 'y'.repeat(2000) });
  await edit(ann, large, { message: 'Short' });

  // Stores a tombstone range, and removes its inner tombstones two minutes later.
  const messages = [];
  for (let n = 0; n < 70; n++) messages.push(await send(ann, id, `${n}`));
  jest.spyOn(random, 'oneIn').mockReturnValue(false);
  for (const one of messages.slice(1))
    await ok(deleteMessage, { as: ann, path: { message_id: one.id } });
  const now = clock.now() + 120_000;
  jest.spyOn(clock, 'now').mockReturnValue(now);
  jest.spyOn(random, 'oneIn').mockReturnValue(true);
  await ok(deleteMessage, { as: ann, path: { message_id: messages[0]?.id ?? '' } });

  await removeConversation(ann, id);
  await update(toTombstoneTouch(conversationKey(id), now));
  jest.spyOn(clock, 'now').mockReturnValue(now + 120_000);
  await runPurgeWorker([id]);
  jest.restoreAllMocks();
}

const wakers = (woken: (record: StreamRecord) => boolean) =>
  [...new Set(all.filter(woken).map(toTransition))].sort();

test('Only deletions of conversations and groups, updates of their tombstones, blocks, new and unused content items, and expired maintenance items invoke the purge worker', () => {
  expect(wakers(wakesPurge)).toEqual([
    'blocks → blocks',
    'check → nothing',
    'conversation → tombstone',
    'ended group → ended group',
    'group → ended group',
    'large message → message',
    'nothing → blocks',
    'nothing → message_content',
    'tombstone → tombstone',
  ]);
});

test('A send invokes the live worker once, for the message and not for the reserved sequence number', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  const { id: pinned } = await send(ann, id, 'Pinned');
  await changeConversation(ann, id, { pinned_message_id: pinned });
  await readNewRecords();
  await send(ann, id, 'Hello');
  await send(bob, id, 'Hello');
  const waking = (await readNewRecords()).filter(wakes).map(toTransition);
  expect(waking).toEqual(['nothing → message', 'nothing → message']);
});

test('The live worker is invoked by every change with an event, and otherwise only when a message is pinned or unpinned', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  const [one, other] = [await send(ann, id, 'One'), await send(ann, id, 'Other')];
  const records = [...(await readNewRecords()), ...all];
  const pinSteps = [one.id, other.id, null].map(
    (pinned_message_id) => () => changeConversation(ann, id, { pinned_message_id }),
  );
  const withoutEvent: number[] = [];
  for (const step of pinSteps) {
    await step();
    const changed = await readNewRecords();
    const idle = changed.filter((record) => wakes(record) && !hasEvent(record));
    for (const record of idle) expect(toTransition(record)).toBe('message → message');
    withoutEvent.push(idle.length);
    records.push(...changed);
  }
  expect(withoutEvent).toEqual([1, 2, 1]);
  expect(records.filter((record) => hasEvent(record) && !wakes(record))).toEqual([]);
  const idle = records.filter((record) => wakes(record) && !hasEvent(record));
  expect([...new Set(idle.filter((record) => !isPin(record)).map(toTransition))]).toEqual([]);
});

test('Only changes to conversations, messages, settings, groups, memberships and listings invoke the live worker', () => {
  expect(wakers(wakes)).toEqual([
    'business → business',
    'conversation → conversation',
    'conversation → tombstone',
    'group → group',
    'large message → large message',
    'large message → message',
    'membership → ended membership',
    'membership → nothing',
    'message → message',
    'message → message tombstone',
    'nothing → business',
    'nothing → conversation',
    'nothing → large message',
    'nothing → membership',
    'nothing → message',
    'nothing → settings',
    'settings → settings',
  ]);
  expect(wakers((record) => !wakes(record))).toEqual([
    'block → nothing',
    'blocks → blocks',
    'blocks → nothing',
    'check → nothing',
    'chunk → chunk',
    'contact → contact',
    // A send reserves a sequence number.
    'conversation → conversation',
    'ended group → ended group',
    'ended group → nothing',
    'ended membership → nothing',
    'group → ended group',
    'group → group',
    'head → head',
    'membership → membership',
    'memberships → memberships',
    'message tombstone → message tombstone',
    'message tombstone → nothing',
    'message → nothing',
    'message_content → nothing',
    'nothing → block',
    'nothing → blocks',
    'nothing → check',
    'nothing → chunk',
    'nothing → contact',
    'nothing → epoch',
    'nothing → group',
    'nothing → head',
    'nothing → idempotency',
    'nothing → memberships',
    'nothing → message_content',
    'nothing → report',
    'nothing → search entry',
    'settings → nothing',
    'tombstone → nothing',
    'tombstone → tombstone',
  ]);
});
