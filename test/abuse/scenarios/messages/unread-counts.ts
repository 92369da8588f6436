import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from '@jest/globals';
import { listConversations, retrieveConversation } from '../../../../shared/contract/operations.ts';
import { messageLimits } from '../../../../shared/contract/resources/message-limits.ts';
import { maxExternalIdLength } from '../../../../shared/contract/schema/field-types.ts';
import { env } from '../../../../shared/env.ts';
import { parseMessageId } from '../../../../shared/ids.ts';
import { messageKey } from '../../../../shared/table/keys/keys.ts';
import { send } from '../../../support/handlers/api-calls.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { copyConversation } from '../../support/copy-conversation.ts';
import { honestCall } from '../../support/honest-call.ts';
import { makeCall } from '../../support/make-call.ts';
import { largest, type MessageSize, small } from '../../support/message-sizes.ts';
import { openConversation, sendTexts } from '../../support/plant-history.ts';
import { scenario } from '../../support/scenario.ts';

interface Inbox {
  bob: Participant;
  /** What Bob is shown of each conversation, the most recently active first. */
  shown: { id: string; unread_count: number; last_message: { message: string } }[];
  /** One that nobody hostile takes part in. */
  friendly: string;
  /** How many of them the first page gave. */
  given: number;
}

/** More than one page counts through, when each message is one of the largest. */
const hostileOnes = 2;
const friends = 3;

/** As many as a message may have, of the longest ids. */
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

/** What a thousand people would have to do. */
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

/** Bob has heard from friends, and then, a hundred times in each of some conversations, from Mallory. */
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
  for (let n = 0; n < friends; n++) {
    const ann = await abuse.createParticipant('ann');
    const id = await openConversation(ann, { contact_id: bob.id });
    await sendTexts(ann, id, ['Hello', 'Are you there?']);
    add(id, 2, 'Are you there?');
  }
  const friendly = shown[0]?.id ?? '';
  const first = await openConversation(mallory, { contact_id: bob.id });
  const sent: string[] = [];
  for (let n = 0; n < 99; n++) sent.push((await send(mallory.caller, first, text, more)).id);
  await fill(sent);
  const copies = [first];
  while (copies.length < hostileOnes) copies.push(await copyConversation(first, new Map()));
  for (const id of copies) {
    await send(mallory.caller, id, text, more);
    add(id, 100, text);
  }
  return { bob, shown, friendly, given: 0 };
}

const query = { 'expand[]': ['unread_count', 'last_message'] };

/** What a call may be charged for messages of that size: a megabyte, and the one that passes it. */
const unitsOfCall = 300;
/** Of a page a first call each and so many more: see docs/design.md. */
const furtherCalls = 25;
/** The newest of each, which a page shows as well. */
const unitsOfLast = 25;

const inboxFrom = (sequence: Inbox, from: number) => {
  const cursor = from === 0 ? {} : { starting_after: sequence.shown[from - 1]?.id ?? '' };
  const sent = { query: { ...query, ...cursor } };
  const { bob, shown } = sequence;
  return honestCall('list the inbox with what is unread', bob, listConversations, sent, (page) => {
    // Nobody is stuck.
    expect(page.data.length).toBeGreaterThan(0);
    sequence.given = from + page.data.length;
    expect(page.data).toMatchObject(shown.slice(from, sequence.given));
    expect(page.has_more).toBe(sequence.given < shown.length);
  });
};

export const unreadCounts = [
  scenario<Inbox>({
    title:
      'Somebody has sent hundreds of the largest messages, which nobody has read: others’ inboxes tell what is unread in each conversation',
    quiet: (abuse) => inbox(abuse, small),
    abused: (abuse) => inbox(abuse, largest, fillWithReactions),
    // Each reads some thirty megabytes.
    rounds: 1,
    maxFactor: 1,
    oneTimeCost: { calls: 0, units: 0 },
    extraCost: {
      calls: furtherCalls,
      units: (hostileOnes + furtherCalls) * unitsOfCall + hostileOnes * unitsOfLast,
    },
    honestCalls: (sequence) => [
      inboxFrom(sequence, 0),
      honestCall(
        'retrieve a friend’s conversation with what is unread',
        sequence.bob,
        retrieveConversation,
        { path: { conversation_id: sequence.friendly }, query },
        (one) => {
          expect(one).toMatchObject(sequence.shown[hostileOnes] ?? {});
        },
      ),
    ],
    afterwards: async (sequence) => {
      // The rest of the inbox comes with further pages.
      expect(sequence.given).toBeLessThan(hostileOnes);
      while (sequence.given < sequence.shown.length) {
        const { wrong } = await makeCall(inboxFrom(sequence, sequence.given));
        expect(wrong).toBeUndefined();
      }
    },
  }),
];
