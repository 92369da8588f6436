import { createBlock, deleteBlock, listBlocks } from '../../../shared/contract/operations.ts';
import type { Session } from '../session/session.ts';

/** Few, so that blocks of a contact are concurrent, and a first page has all of them. */
const strangers = 5;

/** Blocks or unblocks a contact who takes part in nothing else, then lists the blocks. */
export async function blockContact({ ask, person: { who }, random }: Session): Promise<void> {
  const path = { contact_id: `stranger-${random.integer(1, strangers)}` };
  await ask(who, random.chance(0.6) ? createBlock : deleteBlock, { path });
  await ask(who, listBlocks);
}
