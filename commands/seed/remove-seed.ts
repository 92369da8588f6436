import { deleteContact, deleteConversations } from '../api/delete-user-data.ts';
import type { SeedTarget } from './seed-target.ts';

export interface RemovedCounts {
  conversations: number;
  /** Number of items deleted from the contacts' partitions. Feeds remain. */
  items: number;
}

/** Deletes the conversations of all seeded people, then their contacts, accounts and group. */
export async function removeSeed(target: SeedTarget): Promise<RemovedCounts> {
  const users = await target.signInExisting();
  const conversations = await deleteConversations(target.url, users);
  let items = 0;
  for (const { id } of users) items += await deleteContact(target.running, id);
  await target.deleteAccounts();
  return { conversations, items };
}
