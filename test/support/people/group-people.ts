import { addMember, makeGroup } from '../handlers/group-calls.ts';
import { person } from './callers.ts';

let casts = 0;

/** Creates people with ids that are unique in the test file. */
export function newPeople() {
  casts += 1;
  const number = casts;
  const named = (name: string) => person(`${name}-${number}`);
  return {
    ann: named('ann'),
    bob: named('bob'),
    carol: named('carol'),
    dora: named('dora'),
    crowd: (count: number) =>
      Array.from({ length: count }, (_, n) => named(`member${String(n).padStart(4, '0')}`)),
  };
}

/** Creates a group with Ann as owner, Bob as admin and Carol as member. */
export async function groupOfThree() {
  const people = newPeople();
  const { ann, bob, carol } = people;
  const { id } = await makeGroup(ann, [bob, carol]);
  await addMember(ann, id, bob, 'admin');
  return { ...people, id, path: { group_id: id } };
}
