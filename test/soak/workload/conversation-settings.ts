import { listConversations, updateConversation } from '../../../shared/contract/operations.ts';
import { chooseConversation, chooseMessage, limit } from '../session/choose.ts';
import { groupNames, type Session } from '../session/session.ts';
import { withUnreadCount } from './read-messages.ts';
import { walkConversations } from './walk-conversations.ts';

export async function setFlags(session: Session): Promise<void> {
  const { random, sendRequest, person } = session;
  const conversation = chooseConversation(session);
  if (!conversation) return;
  const archived_at = random.chance(0.5) ? random.integer(1_700_000_000, 1_800_000_000) : null;
  await sendRequest(person.caller, updateConversation, {
    path: { conversation_id: conversation.id },
    body: {
      ...(random.chance(0.5) && { is_pinned: random.chance(0.6) }),
      ...(random.chance(0.5) && { is_muted: random.chance(0.6) }),
      ...(random.chance(0.3) && { archived_at }),
    },
  });
}

export async function pinMessage(session: Session): Promise<void> {
  const { random, sendRequest, person } = session;
  const conversation = chooseConversation(session);
  const message = random.chance(0.8) ? chooseMessage(session, conversation, false) : undefined;
  if (!conversation) return;
  await sendRequest(person.caller, updateConversation, {
    path: { conversation_id: conversation.id },
    body: {
      pinned_message_id: message?.id ?? null,
      ...(random.chance(0.2) && { is_pinned: random.chance(0.6) }),
    },
  });
}

const flagNames = ['muted', 'archived', 'pinned'];

export async function listAll(session: Session): Promise<void> {
  const { random, person, people } = session;
  const filters = {
    ...(random.chance(0.3) && { muted: 'true' }),
    ...(random.chance(0.3) && { archived: 'true' }),
    ...(random.chance(0.3) && { pinned: 'true' }),
    ...(random.chance(0.2) && { group_id: random.one(groupNames) ?? '' }),
    ...(random.chance(0.2) && { contact_id: random.one(people)?.caller.id ?? '' }),
  };
  const excluded = flagNames.filter((name) => !(name in filters) && random.chance(0.2));
  const exclude = excluded.map((name, n) => [`exclude[${n}]`, name]);
  const query = { ...filters, ...Object.fromEntries(exclude) };
  await walkConversations(session, person.caller, query, limit(random).limit);
}

/** Marks messages as read, as if another device had read them. */
export async function setLastRead(session: Session): Promise<void> {
  const { random, sendRequest, person } = session;
  const conversation = chooseConversation(session);
  const message = chooseMessage(session, conversation, false);
  if (!conversation || !message) return;
  await sendRequest(person.caller, updateConversation, {
    path: { conversation_id: conversation.id },
    body: { last_read_message_id: message.id },
    ...(random.chance(0.5) && { query: withUnreadCount }),
  });
}

export async function listRecent({ sendRequest, person, random }: Session): Promise<void> {
  await sendRequest(person.caller, listConversations, { query: limit(random) });
}

/** Replaces the token to join or leave a group, because no operation changes a token's groups. */
export async function changeGroups({ random, person, tokenFor }: Session): Promise<void> {
  const group = random.one(groupNames);
  const { id, groups } = person.caller;
  const changed = groupNames.filter((one) => groups.includes(one) !== (one === group));
  person.caller = await tokenFor(id, changed);
}
