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

const maxGroups = 2;

/**
 * Adds people to one of the person's groups and removes most of them. Meanwhile, these people use
 * the group's conversation. Sometimes deletes the oldest group instead.
 */
export async function changeMembers(session: Session): Promise<void> {
  const { sendRequest, person, random } = session;
  const own = ownGroups(session);
  const [oldest] = own;
  if (oldest && own.length >= maxGroups && random.chance(0.4)) {
    await sendRequest(person.caller, deleteGroup, { path: { group_id: oldest.id } });
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
      owner === person.caller.id &&
      getPossibleMembership(model, id, owner, {
        startOrder: model.now,
        ended: model.now + 1,
      }).has(true),
  );

async function makeGroup(session: Session): Promise<UserGroupModel | undefined> {
  const { sendRequest, model, newText, people, person, random } = session;
  const member = random.one(people.filter((one) => one !== person));
  const members = member && random.chance(0.5) ? [member.caller.id] : [];
  const known = new Set(model.userGroups.keys());
  const body = { title: newText().slice(0, 50), members };
  await sendRequest(person.caller, createGroup, { body });
  return [...model.userGroups.values()].find(
    ({ id, owner }) => owner === person.caller.id && !known.has(id),
  );
}

/**
 * Creates the group's conversation if necessary, and sends a message to it. Only the owner calls
 * this function, so that no conversation is created during the group's deletion.
 */
async function findConversation(
  { sendRequest, model, newText, person }: Session,
  { id: group_id }: UserGroupModel,
): Promise<ConversationModel | undefined> {
  const find = () => [...model.conversations.values()].find((one) => one.group_id === group_id);
  if (!find()) await sendRequest(person.caller, createConversation, { body: { group_id } });
  const conversation = find();
  if (conversation) {
    const body = { conversation_id: conversation.id, message: newText() };
    await sendRequest(person.caller, sendMessage, { body });
  }
  return conversation;
}

interface Visit {
  group: UserGroupModel;
  conversation: ConversationModel;
  other: Person;
}

/**
 * Adds a person to a group, and usually removes the person afterwards. The checker expects
 * retrievals by this person to return 200 after the addition and 404 after the removal.
 */
async function addAndRemove(session: Session, { group, conversation, other }: Visit) {
  const { sendRequest, person, random } = session;
  const path = { group_id: group.id, contact_id: other.caller.id };
  const use = () => tryEveryOperation(session, other.caller, conversation);
  const retrieve = () =>
    sendRequest(other.caller, retrieveConversation, { path: { conversation_id: conversation.id } });
  const [added] = await Promise.all([
    sendRequest(person.caller, putGroupMember, { path, body: {} }),
    use(),
  ]);
  if (!isSuccess(added)) return;
  await retrieve();
  await Promise.all([use(), use()]);
  if (random.chance(0.3)) return;
  const remover = random.chance(0.3) ? other.caller : person.caller;
  await Promise.all([sendRequest(remover, removeGroupMember, { path }), use(), use()]);
  await retrieve();
  await Promise.all([use(), use()]);
}

async function viewGroup(session: Session, { id: group_id }: UserGroupModel): Promise<void> {
  const { sendRequest, newText, people, person, random } = session;
  const path = { group_id };
  for (const { caller } of [person, random.one(people) ?? person]) {
    await sendRequest(caller, updateGroup, { path, body: { title: newText().slice(0, 50) } });
    await sendRequest(caller, retrieveGroup, { path });
    await sendRequest(caller, listGroupMembers, { path });
    await sendRequest(caller, listGroups, { query: { limit: '100' } });
  }
}
