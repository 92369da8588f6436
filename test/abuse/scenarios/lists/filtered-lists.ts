import { expect } from '@jest/globals';
import { listConversations } from '../../../../shared/contract/operations.ts';
import {
  changeConversation,
  create,
  removeConversation,
} from '../../../support/handlers/api-calls.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { honestCall } from '../../support/honest-call.ts';
import { scenario } from '../../support/scenario.ts';
import { mapConcurrently } from '../../support/seed-history.ts';

interface Inbox {
  bob: Participant;
  /** Id of the conversation that Bob's list must contain. */
  id: string;
  group: string;
}

const baselineCount = 5;

/**
 * Creates a conversation in Ann's group with Bob as its contact. Bob is not a member of the group.
 * Then a stranger creates `count` conversations with Bob.
 */
async function namedInGroup(abuse: AbuseRun, count: number): Promise<Inbox> {
  const { seedConversations } = await import('../../../support/seeds/seed-conversations.ts');
  const { id: group } = await abuse.createParticipant('group');
  const bob = await abuse.createParticipant('bob');
  const ann = await abuse.createParticipant('ann', { groups: [group] });
  const { id } = await create(ann.caller, { group_id: group, contact_id: bob.id });
  const mallory = await abuse.createParticipant('mallory');
  const now = Date.now();
  await seedConversations(
    Array.from({ length: count }, (_, n) => ({
      created_by: mallory.id,
      contact_id: bob.id,
      created_at: now + n,
    })),
  );
  return { bob, id, group };
}

/**
 * Seeds a conversation that Bob has muted, and `count` conversations that Bob muted before Ann
 * deleted them.
 */
async function mutedAndDeleted(abuse: AbuseRun, count: number): Promise<Inbox> {
  const [ann, bob] = await Promise.all([
    abuse.createParticipant('ann'),
    abuse.createParticipant('bob'),
  ]);
  const { id } = await create(ann.caller, { contact_id: bob.id });
  await changeConversation(bob.caller, id, { is_muted: true });
  await mapConcurrently([...Array(count).keys()], async () => {
    const other = await create(ann.caller, { contact_id: bob.id });
    await changeConversation(bob.caller, other.id, { is_muted: true });
    await removeConversation(ann.caller, other.id);
  });
  return { bob, id, group: '' };
}

/**
 * Seeds conversations that Bob has muted: one with Ann, and `count` in a group that Bob has left.
 */
async function mutedAndLeft(abuse: AbuseRun, count: number): Promise<Inbox> {
  const { id: group } = await abuse.createParticipant('group');
  const [ann, bob] = await Promise.all([
    abuse.createParticipant('ann'),
    abuse.createParticipant('bob'),
  ]);
  const { id } = await create(ann.caller, { contact_id: bob.id });
  await changeConversation(bob.caller, id, { is_muted: true });
  const member = { ...bob.caller, groups: [group] };
  await mapConcurrently([...Array(count).keys()], async () => {
    const other = await create(member, { group_id: group });
    await changeConversation(member, other.id, { is_muted: true });
  });
  return { bob, id, group };
}

const listMuted = ({ bob, id }: Inbox) => [
  honestCall(
    'list muted conversations',
    bob,
    listConversations,
    { query: { muted: 'true' } },
    ({ data }) => {
      expect(data.map((one) => one.id)).toEqual([id]);
    },
  ),
  honestCall('list muted and pinned conversations', bob, listConversations, {
    query: { muted: 'true', pinned: 'true' },
  }),
];

/** Returns the number of pages if each page is four times the size of the previous one. */
const pagesOf = (entries: number) => Math.ceil(Math.log2(entries) / 2);

export const filteredLists = [
  scenario<Inbox>({
    title:
      'A stranger creates hundreds of conversations with a user who lists a group’s conversations',
    quiet: (abuse) => namedInGroup(abuse, baselineCount),
    abused: (abuse) => namedInGroup(abuse, abuse.scale(600)),
    // Lists read all of the user's index entries, at a cost of half a read unit per 4 KB.
    extraCost: (abuse) => ({ calls: pagesOf(abuse.scale(600)), units: 5 + abuse.scale(600) / 20 }),
    honestCalls: ({ bob, id, group }) => [
      honestCall(
        'list the group’s conversations',
        bob,
        listConversations,
        { query: { group_id: group } },
        ({ data }) => {
          expect(data.map((one) => one.id)).toEqual([id]);
        },
      ),
    ],
  }),
  scenario<Inbox>({
    title: 'A member deletes hundreds of conversations that the other member has muted',
    quiet: (abuse) => mutedAndDeleted(abuse, baselineCount),
    abused: (abuse) => mutedAndDeleted(abuse, abuse.scale(250)),
    // Until the purge, each list also reads the deleted conversations in batches of 100.
    extraCost: (abuse) => ({
      calls: pagesOf(abuse.scale(250)) + abuse.scale(250) / 50,
      units: abuse.scale(250) * 1.1,
    }),
    honestCalls: listMuted,
  }),
  scenario<Inbox>({
    title: 'A user mutes hundreds of a group’s conversations, then leaves the group',
    quiet: (abuse) => mutedAndLeft(abuse, baselineCount),
    abused: (abuse) => mutedAndLeft(abuse, abuse.scale(250)),
    // Listing reads the index at half a read unit per 4 KB.
    extraCost: (abuse) => ({ calls: pagesOf(abuse.scale(250)), units: abuse.scale(250) / 25 }),
    honestCalls: listMuted,
  }),
];
