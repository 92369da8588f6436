import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from '@jest/globals';
import { listConversations, retrieveConversation } from '../../../../shared/contract/operations.ts';
import { maxExternalIdLength } from '../../../../shared/contract/schema/field-types.ts';
import { messageLimits } from '../../../../shared/contract/schema/message-limits.ts';
import { env } from '../../../../shared/env.ts';
import { parseMessageId } from '../../../../shared/ids.ts';
import { messageKey } from '../../../../shared/table/keys/keys.ts';
import { send } from '../../../support/handlers/api-calls.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { copyConversation } from '../../support/copy-conversation.ts';
import { honestCall } from '../../support/honest-call.ts';
import { largest, type MessageSize, small } from '../../support/message-sizes.ts';
import { scenario } from '../../support/scenario.ts';
import { openConversation, sendTexts } from '../../support/seed-history.ts';

interface Inbox {
  bob: Participant;
  /** Bob's expected list of conversations, most recently active first. */
  shown: { id: string; unread_count: number; last_message: { message: string } }[];
  regularConversation: string;
}

/** Number of hostile conversations, whose messages are too large to be counted in one call. */
const hostileConversations = 2;
const regularSenders = 3;

/** The maximum number of reactions, from people with the longest ids. */
const fullOfReactions = Object.fromEntries(
  Array.from({ length: messageLimits.reactionNames }, (_, name) => [
    `reaction ${name}`,
    new Set(
      Array.from({ length: messageLimits.reactions / messageLimits.reactionNames }, (_, n) =>
        `someone-${n}`.padEnd(maxExternalIdLength, '-'),
      ),
    ),
  ]),
);

/** Stores 1,000 reactions on each message, with one write per message. */
async function fillWithReactions(messageIds: string[]): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  for (const id of messageIds) {
    const { conversationId = '', sequence = 0 } = parseMessageId(id) ?? {};
    await client.send(
      new UpdateCommand({
        TableName: env('TABLE_NAME'),
        Key: messageKey(conversationId, sequence),
        UpdateExpression: 'SET reactions = :reactions, reaction_count = :count',
        ExpressionAttributeValues: {
          ':reactions': fullOfReactions,
          ':count': messageLimits.reactions,
        },
      }),
    );
  }
  client.destroy();
}

/**
 * Seeds Bob's inbox: friends send him messages, then Mallory sends him 100 messages in each of
 * `hostileConversations` conversations.
 */
async function inbox(
  abuse: AbuseRun,
  { text, more }: MessageSize,
  fill: typeof fillWithReactions = async () => {},
): Promise<Inbox> {
  const [bob, mallory] = await Promise.all([
    abuse.createParticipant('bob'),
    abuse.createParticipant('mallory'),
  ]);
  const shown: Inbox['shown'] = [];
  const add = (id: string, unread_count: number, message: string) =>
    shown.unshift({ id, unread_count, last_message: { message } });
  for (let n = 0; n < regularSenders; n++) {
    const ann = await abuse.createParticipant('ann');
    const id = await openConversation(ann, { contact_id: bob.id });
    await sendTexts(ann, id, ['Hello', 'Are you there?']);
    add(id, 2, 'Are you there?');
  }
  const regularConversation = shown[0]?.id ?? '';
  const first = await openConversation(mallory, { contact_id: bob.id });
  const sent: string[] = [];
  for (let n = 0; n < 99; n++) sent.push((await send(mallory.caller, first, text, more)).id);
  await fill(sent);
  const copies = [first];
  while (copies.length < hostileConversations)
    copies.push(await copyConversation(first, new Map()));
  for (const id of copies) {
    await send(mallory.caller, id, text, more);
    add(id, 100, text);
  }
  return { bob, shown, regularConversation };
}

const query = { 'expand[]': ['unread_count', 'last_message'] };

/**
 * Maximum units of a table call: one megabyte of the largest messages, plus the message that
 * exceeds it.
 */
const unitsOfCall = 300;
/** Maximum number of further calls for all unread counts of a page. See docs/design.md. */
const furtherCalls = 25;
/** Read units of a hostile conversation's newest message, which the page also contains. */
const unitsOfLast = 25;

const listInbox = ({ bob, shown }: Inbox) =>
  honestCall('list the inbox with unread counts', bob, listConversations, { query }, (page) => {
    expect(page).toMatchObject({ has_more: false, data: shown });
  });

export const unreadCounts = [
  scenario<Inbox>({
    title:
      "A member has sent 200 of the largest messages, and the recipient's inbox still counts the unread messages of each conversation",
    quiet: (abuse) => inbox(abuse, small),
    abused: (abuse) => inbox(abuse, largest, fillWithReactions),
    // Each request reads about 30 MB.
    rounds: 1,
    maxFactor: 1,
    oneTimeCost: { calls: 0, units: 0 },
    extraCost: {
      calls: furtherCalls,
      units:
        (hostileConversations + furtherCalls) * unitsOfCall + hostileConversations * unitsOfLast,
    },
    honestCalls: (seeded) => [
      listInbox(seeded),
      honestCall(
        'retrieve a friend’s conversation with its unread count',
        seeded.bob,
        retrieveConversation,
        { path: { conversation_id: seeded.regularConversation }, query },
        (one) => {
          expect(one).toMatchObject(seeded.shown[hostileConversations] ?? {});
        },
      ),
    ],
  }),
];
