import { maxGroups } from '../../../../shared/caller.ts';
import { retrieveContact } from '../../../../shared/contract/operations.ts';
import { create } from '../../../support/handlers/api-calls.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { honestCall, refusedCall } from '../../support/honest-call.ts';
import { scenario } from '../../support/scenario.ts';

/** Who is looked up, and by whom. */
interface Lookup {
  bob: Participant;
  contact: string;
}

const few = 5;

/** Short, so that a hundred are in a token that the gateway takes. */
const groupsOf = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => `${name}${n}`);

/** Bob, named in a conversation of Ann's group that he is no member of; and others name him in theirs. */
async function plantNamedInGroups(abuse: AbuseRun, count: number): Promise<Lookup> {
  const { seedConversations } = await import('../../../support/table/seed-conversations.ts');
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
      'Nobody can tell somebody of a hundred groups, whom they share nothing with, from nobody',
    quiet: (abuse) => stranger(abuse),
    abused: (abuse) => stranger(abuse, maxGroups),
    maxSlowdown: 2,
    // The calls are the same, and the record is read that is not there otherwise.
    maxFactor: 1,
    oneTimeCost: { calls: 0, units: 0 },
    maxUnits: 2,
    rounds: 15,
    honestCalls: refusedLookup,
  }),
  scenario<Lookup>({
    title:
      'Hundreds of conversations of another group name somebody who looks up who wrote to them',
    quiet: (abuse) => plantNamedInGroups(abuse, few),
    abused: (abuse) => plantNamedInGroups(abuse, abuse.scale(600)),
    honestCalls: (lookup) => [
      honestCall('retrieve the contact', lookup.bob, retrieveContact, path(lookup)),
      refusedCall(
        'retrieve nobody',
        lookup.bob,
        retrieveContact,
        { path: { contact_id: 'nobody' } },
        404,
      ),
    ],
  }),
];
