import { maxGroups } from '../../../shared/caller.ts';
import { retrieveContact } from '../../../shared/contract/operations.ts';
import { create } from '../../support/steps.ts';
import { call, refusedCall } from '../support/honest.ts';
import type { AbuseRun, Somebody } from '../support/siege.ts';
import { scenario } from '../support/story.ts';

/** Who is looked up, and by whom. */
interface Lookup {
  bob: Somebody;
  contact: string;
}

const few = 5;

/** Short, so that a hundred are in a token that the gateway takes. */
const groupsOf = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => `${name}${n}`);

/** Bob, named in a conversation of Ann's group that he is no member of; and others name him in theirs. */
async function namedByOthers(abuse: AbuseRun, count: number): Promise<Lookup> {
  const { seedConversations } = await import('../../support/seed-conversations.ts');
  const { id: group } = await abuse.somebody('group');
  const bob = await abuse.somebody('bob');
  const ann = await abuse.somebody('ann', { groups: [group] });
  const mallory = await abuse.somebody('mallory');
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
  const bob = await abuse.somebody('bob', { groups: [(await abuse.somebody('group')).id] });
  const { id, caller } = await abuse.somebody('eve');
  if (groupCount !== undefined) {
    const username = 'Eve '.repeat(200);
    await create({ ...caller, username, groups: groupsOf(groupCount, id) }, { contact_id: id });
  }
  return { bob, contact: id };
}

const path = ({ contact }: Lookup) => ({ path: { contact_id: contact } });
const mayNotSee = (lookup: Lookup) => [
  refusedCall('retrieve the contact', lookup.bob, retrieveContact, path(lookup), 404),
];

export const contacts = [
  scenario<Lookup>({
    title:
      'Nobody can tell somebody of a hundred groups, whom they share nothing with, from nobody',
    quiet: (abuse) => stranger(abuse),
    abused: (abuse) => stranger(abuse, maxGroups),
    slower: 2,
    // The calls are the same, and the record is read that is not there otherwise.
    times: 1,
    once: { calls: 0, units: 0 },
    maxUnits: 2,
    rounds: 15,
    honest: mayNotSee,
  }),
  scenario<Lookup>({
    title:
      'Hundreds of conversations of another group name somebody who looks up who wrote to them',
    quiet: (abuse) => namedByOthers(abuse, few),
    abused: (abuse) => namedByOthers(abuse, abuse.many(600)),
    honest: (lookup) => [
      call('retrieve the contact', lookup.bob, retrieveContact, path(lookup)),
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
