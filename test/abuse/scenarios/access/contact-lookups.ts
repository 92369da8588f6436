import { maxGroups } from '../../../../shared/caller.ts';
import { retrieveContact } from '../../../../shared/contract/operations.ts';
import { create } from '../../../support/handlers/api-calls.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { honestCall, refusedCall } from '../../support/honest-call.ts';
import { scenario } from '../../support/scenario.ts';

interface Lookup {
  bob: Participant;
  contact: string;
}

const baselineCount = 5;

const groupsOf = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => `${name}${n}`);

/**
 * Makes Bob the contact of one conversation in Ann's group and of `count` conversations in another
 * group. Bob is a member of neither group.
 */
async function seedNamedInGroups(abuse: AbuseRun, count: number): Promise<Lookup> {
  const { seedConversations } = await import('../../../support/seeds/seed-conversations.ts');
  const { id: group } = await abuse.createParticipant('group');
  const bob = await abuse.createParticipant('bob');
  const ann = await abuse.createParticipant('ann', { groups: [group] });
  const mallory = await abuse.createParticipant('mallory');
  await create(ann.caller, { group_id: group, contact_id: bob.id });
  const now = Date.now();
  await seedConversations(
    Array.from({ length: count }, (_, n) => ({
      created_by: mallory.id,
      contact_id: bob.id,
      group_id: `zz-${mallory.id}`,
      created_at: now + n,
    })),
  );
  return { bob, contact: ann.id };
}

async function stranger(abuse: AbuseRun, groupCount?: number): Promise<Lookup> {
  const bob = await abuse.createParticipant('bob', {
    groups: [(await abuse.createParticipant('group')).id],
  });
  const { id, caller } = await abuse.createParticipant('eve');
  if (groupCount !== undefined) {
    const username = 'Eve '.repeat(200);
    await create({ ...caller, username, groups: groupsOf(groupCount, id) }, { contact_id: id });
  }
  return { bob, contact: id };
}

const path = ({ contact }: Lookup) => ({ path: { contact_id: contact } });
const refusedLookup = (lookup: Lookup) => [
  refusedCall('retrieve the contact', lookup.bob, retrieveContact, path(lookup), 404),
];

export const contactLookups = [
  scenario<Lookup>({
    title:
      'A caller cannot distinguish an unrelated contact with 100 groups from a nonexistent one',
    quiet: (abuse) => stranger(abuse),
    abused: (abuse) => stranger(abuse, maxGroups),
    maxSlowdown: 2,
    // Both lookups make the same number of calls, but only an existing contact costs read units.
    maxFactor: 1,
    oneTimeCost: { calls: 0, units: 0 },
    maxUnits: 2,
    rounds: 15,
    honestCalls: refusedLookup,
  }),
  scenario<Lookup>({
    title:
      'A user is the contact of hundreds of conversations in one group, and retrieves a contact from a different group',
    quiet: (abuse) => seedNamedInGroups(abuse, baselineCount),
    abused: (abuse) => seedNamedInGroups(abuse, abuse.scale(600)),
    honestCalls: (lookup) => [
      honestCall('retrieve the contact', lookup.bob, retrieveContact, path(lookup)),
      refusedCall(
        'retrieve an unknown contact',
        lookup.bob,
        retrieveContact,
        { path: { contact_id: 'unknown' } },
        404,
      ),
    ],
  }),
];
