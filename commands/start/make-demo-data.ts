import { join } from 'node:path';
import {
  type DemoConversation,
  type DemoMessage,
  demoContacts,
  demoConversations,
} from '../../demo/conversations.ts';
import { demoPeople } from '../../demo/people.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import {
  createConversation,
  listMessages,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../shared/contract/operations.ts';
import { type ApiUser, callOperation } from '../api/call-operation.ts';
import { importBusinesses } from '../businesses/import-businesses.ts';
import { toLocalServiceConfig } from '../stage/running-stage.ts';
import { openTable } from '../stage/stage-table.ts';

const demoBusinesses = join(import.meta.dirname, '../../demo/businesses.ndjson');

type FindUser = (id: string) => ApiUser;

/**
 * Fills an empty table with the demo businesses and, through the API, the demo conversations.
 * Creates the conversations with more than 100 messages concurrently with the others, because long
 * conversations take most of the time.
 */
export async function makeDemoData({
  url,
  token,
  tableEndpoint,
  tableName,
}: Pick<Cloud, 'url' | 'token' | 'tableEndpoint' | 'tableName'>): Promise<void> {
  const users = await Promise.all(
    Object.entries({ ...demoPeople, ...demoContacts }).map(
      async ([id, claims]): Promise<ApiUser> => ({ id, token: await token(id, claims) }),
    ),
  );
  const findUser: FindUser = (id) => {
    const user = users.find((one) => one.id === id);
    if (!user) throw new Error(`The demo data has no user ${id}.`);
    return user;
  };
  const create = async (conversations: readonly DemoConversation[]) => {
    for (const conversation of conversations) {
      await createDemoConversation(url, findUser, conversation);
    }
  };
  const isLong = ({ messages }: DemoConversation) => messages.length > 100;
  await importBusinesses({
    file: demoBusinesses,
    table: openTable(tableName, toLocalServiceConfig(tableEndpoint)),
  });
  await Promise.all([
    create(demoConversations.filter(isLong)),
    create(demoConversations.filter((one) => !isLong(one))),
  ]);
}

async function createDemoConversation(
  url: string,
  findUser: FindUser,
  { creator, contact_id, group_id, business_id, messages, isRead, flag }: DemoConversation,
): Promise<void> {
  const { reply } = await callOperation(url, findUser(creator), createConversation, {
    body: { contact_id, group_id, business_id },
  });
  const path = { conversation_id: reply.id };
  for (const message of messages) await sendDemoMessage(url, findUser, reply.id, message);
  const ann = findUser('ann');
  if (isRead) {
    await callOperation(url, ann, listMessages, { query: { conversation_id: reply.id } });
  }
  const flags = {
    pinned: { is_pinned: true },
    muted: { is_muted: true },
    archived: { archived_at: reply.created_at },
  };
  if (flag) await callOperation(url, ann, updateConversation, { path, body: flags[flag] });
}

async function sendDemoMessage(
  url: string,
  findUser: FindUser,
  conversation_id: string,
  { from, text, attachments, reactions = {}, isPinned = false }: DemoMessage,
): Promise<void> {
  const sender = findUser(from);
  const { reply } = await callOperation(url, sender, sendMessage, {
    body: { conversation_id, message: text, attachments },
  });
  const path = { message_id: reply.id };
  for (const [name, reactors] of Object.entries(reactions)) {
    for (const id of reactors) {
      const body = { reactions: { [name]: [id] } };
      await callOperation(url, findUser(id), updateMessage, { path, body });
    }
  }
  if (isPinned) {
    await callOperation(url, sender, updateConversation, {
      path: { conversation_id },
      body: { pinned_message_id: reply.id },
    });
  }
}
