import { createConversation, deleteConversation } from '../../../shared/contract/operations.ts';
import { participates } from '../model/user-groups.ts';
import { ownConversations } from '../session/choose.ts';
import { groupNames, type Session } from '../session/session.ts';
import { repeatUntilKnown } from './repeat-request.ts';
import { tryEveryOperation } from './unauthorized-requests.ts';

/**
 * Target number of conversations per person. If a person has more conversations, skips most
 * creations. If a person has fewer than half of the target, skips most deletions.
 */
const targetConversations = 20;

export async function create(session: Session): Promise<void> {
  const { random, people, person, sendRequest } = session;
  if (ownConversations(session).length > targetConversations && random.chance(0.8)) return;
  const kind = random.integer(1, 3);
  const contact = random.one(people);
  const { groups } = person.caller;
  const group =
    random.chance(0.9) && groups.length > 0 ? random.one(groups) : random.one(groupNames);
  const body = {
    ...(kind !== 2 && contact && { contact_id: contact.caller.id }),
    ...(kind !== 1 && group && { group_id: group }),
    ...(kind === 1 && random.chance(0.4) && { distinct: true }),
  };
  if (random.chance(0.3)) await repeatUntilKnown(session, createConversation, body);
  else await sendRequest(person.caller, createConversation, { body });
}

/** Deletes a conversation. During and after the deletion, participants use the conversation. */
export async function removeConversation(session: Session): Promise<void> {
  const { random, sendRequest, person, people } = session;
  const own = ownConversations(session);
  const conversation = random.one(own);
  if (!conversation || (own.length < targetConversations / 2 && random.chance(0.7))) return;
  const others = people
    .map(({ caller }) => caller)
    .filter((caller) => participates(session.model, conversation, caller));
  const choosePerson = () => random.one(others) ?? person.caller;
  await Promise.all([
    sendRequest(person.caller, deleteConversation, { path: { conversation_id: conversation.id } }),
    ...Array.from({ length: random.integer(0, 3) }, () =>
      tryEveryOperation(session, choosePerson(), conversation),
    ),
  ]);
  for (let remaining = 4; remaining > 0; remaining--)
    await tryEveryOperation(session, choosePerson(), conversation);
}
