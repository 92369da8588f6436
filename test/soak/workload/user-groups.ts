import {
  createConversation,
  createGroup,
  deleteGroup,
  listGroupMembers,
  listGroups,
  putGroupMember,
  removeGroupMember,
  retrieveConversation,
  retrieveGroup,
  sendMessage,
  updateGroup,
} from '../../../shared/contract/operations.ts';
import { isSuccess } from '../exchange/exchange.ts';
import type { ConversationModel, UserGroupModel } from '../model/model-types.ts';
import { getPossibleMembership } from '../model/user-groups.ts';
import type { Person, Session } from '../session/session.ts';
import { tryEveryOperation } from './unauthorized-requests.ts';

/** Maximum number of groups that a person owns. */
const maxGroups = 2;

/**
 * Adds people to one of the person's groups and removes most of them. During and after these
 * requests, the added people use the group's conversation. If the person owns the maximum number of
 * groups, sometimes deletes the oldest group instead.
 */
export async function changeMembers(session: Session): Promise<void> {
  const { ask, person, random } = session;
  const own = ownGroups(session);
  const [oldest] = own;
  if (oldest && own.length >= maxGroups && random.chance(0.4)) {
    await ask(person.who, deleteGroup, { path: { group_id: oldest.id } });
    return;
  }
  const group = own.length < maxGroups ? await makeGroup(session) : random.one(own);
  const conversation = group && (await findConversation(session, group));
  if (!conversation) return;
  for (let rounds = random.integer(1, 3); rounds > 0; rounds--) {
    const other = random.one(session.people.filter((one) => one !== person));
    if (other) await addAndRemove(session, { group, conversation, other });
  }
  await viewGroup(session, group);
}

const ownGroups = ({ model, person }: Session): UserGroupModel[] =>
  [...model.userGroups.values()].filter(
    ({ id, owner }) =>
      owner === person.who.id &&
      getPossibleMembership(model, id, owner, {
        startOrder: model.now,
        ended: model.now + 1,
      }).has(true),
  );

async function makeGroup(session: Session): Promise<UserGroupModel | undefined> {
  const { ask, model, newText, people, person, random } = session;
  const member = random.one(people.filter((one) => one !== person));
  const members = member && random.chance(0.5) ? [member.who.id] : [];
  const known = new Set(model.userGroups.keys());
  const body = { title: newText().slice(0, 50), members };
  await ask(person.who, createGroup, { body });
  return [...model.userGroups.values()].find(
    ({ id, owner }) => owner === person.who.id && !known.has(id),
  );
}

/**
 * Sends a message to the group's conversation, and returns the conversation. If the group has no
 * conversation, creates one first. Only the group's owner calls this function, so that no
 * conversation is created during the group's deletion.
 */
async function findConversation(
  { ask, model, newText, person }: Session,
  { id: group_id }: UserGroupModel,
): Promise<ConversationModel | undefined> {
  const find = () => [...model.conversations.values()].find((one) => one.group_id === group_id);
  if (!find()) await ask(person.who, createConversation, { body: { group_id } });
  const conversation = find();
  if (conversation) {
    const body = { conversation_id: conversation.id, message: newText() };
    await ask(person.who, sendMessage, { body });
  }
  return conversation;
}

interface Visit {
  group: UserGroupModel;
  conversation: ConversationModel;
  other: Person;
}

/**
 * Adds a person, and usually removes the person again. The checker expects retrievals by this
 * person to return 200 after the addition and 404 after the removal.
 */
async function addAndRemove(session: Session, { group, conversation, other }: Visit) {
  const { ask, person, random } = session;
  const path = { group_id: group.id, contact_id: other.who.id };
  const use = () => tryEveryOperation(session, other.who, conversation);
  const look = () =>
    ask(other.who, retrieveConversation, { path: { conversation_id: conversation.id } });
  const [added] = await Promise.all([ask(person.who, putGroupMember, { path, body: {} }), use()]);
  if (!isSuccess(added)) return;
  await look();
  await Promise.all([use(), use()]);
  if (random.chance(0.3)) return;
  const remover = random.chance(0.3) ? other.who : person.who;
  await Promise.all([ask(remover, removeGroupMember, { path }), use(), use()]);
  await look();
  await Promise.all([use(), use()]);
}

/** Changes and reads the group as the owner, and as a random person. */
async function viewGroup(session: Session, { id: group_id }: UserGroupModel): Promise<void> {
  const { ask, newText, people, person, random } = session;
  const path = { group_id };
  for (const { who } of [person, random.one(people) ?? person]) {
    await ask(who, updateGroup, { path, body: { title: newText().slice(0, 50) } });
    await ask(who, retrieveGroup, { path });
    await ask(who, listGroupMembers, { path });
    await ask(who, listGroups, { query: { limit: '100' } });
  }
}
