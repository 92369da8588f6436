import { create, send } from '../../support/handlers/api-calls.ts';
import { person } from '../../support/people/callers.ts';

let pairs = 0;

/** Creates two new contacts, Ann and Bob, and a direct conversation with a message by each. */
export async function createPair() {
  pairs += 1;
  const [ann, bob] = [person(`ann.${pairs}`), person(`bob.${pairs}`)];
  const { id } = await create(ann, { contact_id: bob.id });
  const { id: byAnn } = await send(ann, id, 'from Ann');
  const { id: byBob } = await send(bob, id, 'from Bob');
  return { ann, bob, id, byAnn, byBob };
}
export type Pair = Awaited<ReturnType<typeof createPair>>;
