import { Problem } from '../../lib/problem.ts';
import {
  createConversation,
  listConversations,
  sendMessage,
} from '../../shared/contract/operations.ts';
import { type ApiUser, callOperation } from '../api/call-operation.ts';
import { type SeedTarget, seedGroup } from './seed-target.ts';

export interface SeedSize {
  /** Number of people, at least 2. */
  people: number;
  /** Number of messages in each conversation. */
  messages: number;
}

export interface SeedCounts {
  conversations: number;
  messages: number;
}

const texts = [
  'Good morning! Did you see the plan for today?',
  'Yes, it looks good. I have one question about the dates.',
  'Which one?',
  'The second date is a public holiday here. Can we move it by a day?',
  'Of course. I will tell the others.',
  'Thank you 🙏',
];

/**
 * Creates people and their conversations with messages: one group conversation, and a direct
 * conversation between each person and the next. Throws a Problem if the group already has a
 * conversation.
 */
export async function createSeed(
  target: SeedTarget,
  { people, messages }: SeedSize,
  onProgress: (sent: number, total: number) => void,
): Promise<SeedCounts> {
  const users = await target.signIn(people);
  const conversations = [await createGroupConversation(target, users)];
  for (const pair of toPairs(users)) conversations.push(await createDirect(target, pair));
  const total = conversations.length * messages;
  let sent = 0;
  for (const { id, senders } of conversations) {
    for (let n = 0; n < messages; n += 1) {
      const body = { conversation_id: id, message: pick(texts, n) };
      await callOperation(target.url, pick(senders, n), sendMessage, { body });
      sent += 1;
      onProgress(sent, total);
    }
  }
  return { conversations: conversations.length, messages: sent };
}

interface SeedConversation {
  id: string;
  senders: readonly ApiUser[];
}

async function createGroupConversation(
  { url }: SeedTarget,
  users: readonly ApiUser[],
): Promise<SeedConversation> {
  const user = pick(users, 0);
  const query = { group_id: seedGroup };
  const { reply } = await callOperation(url, user, listConversations, { query });
  if (reply.data.length > 0) {
    throw new Problem('The seed data already exists: delete it with --remove first.');
  }
  const created = await callOperation(url, user, createConversation, { body: query });
  return { id: created.reply.id, senders: users };
}

async function createDirect(
  { url }: SeedTarget,
  [user, other]: readonly [ApiUser, ApiUser],
): Promise<SeedConversation> {
  const body = { contact_id: other.id };
  const { reply } = await callOperation(url, user, createConversation, { body });
  return { id: reply.id, senders: [user, other] };
}

/** Pairs each user with the next, and the last with the first. Two users form only one pair. */
const toPairs = (users: readonly ApiUser[]): (readonly [ApiUser, ApiUser])[] =>
  users.slice(0, users.length === 2 ? 1 : undefined).map((user, n) => [user, pick(users, n + 1)]);

/** Returns the item at the position modulo the number of items. */
function pick<Item>(items: readonly Item[], position: number): Item {
  const item = items[position % items.length];
  if (item === undefined) throw new Error('The list is empty.');
  return item;
}
