import { expect } from '@jest/globals';
import {
  listMessages,
  retrieveConversation,
  sendMessage,
} from '../../../shared/contract/operations.ts';
import type { AbuseRun, Participant } from './abuse-run.ts';
import { copyConversation } from './copy-conversation.ts';
import { type HonestCall, honestCall } from './honest-call.ts';
import {
  type DeletionOrder,
  openConversation,
  removeExpired,
  seedDeletedMessages,
  sendTexts,
  withClockHoursAgo,
} from './seed-history.ts';

/** A conversation between Ann and Bob, with the messages that its readers must see. */
export interface SeededConversation {
  id: string;
  ann: Participant;
  bob: Participant;
  /** The undeleted messages, oldest first. */
  messages: { id: string; text: string }[];
  /** Ids of deleted messages, in log order. */
  deleted: string[];
}

export interface History {
  /** Age of the history in hours. */
  hours?: number;
  /** Number of messages that Ann sends after the first five and then deletes; see `retainOneIn`. */
  deleted?: number;
  order?: DeletionOrder;
  /** Interval of retained messages: one in every `retainOneIn` is retained. Default: none. */
  retainOneIn?: number;
  /** Whether all items with an expiry were removed, to simulate DynamoDB's TTL. */
  expired?: boolean;
}

/**
 * Returns a history in which 1,000 messages were deleted in random order 26 hours ago and their
 * expired items were removed.
 */
export const oldDeletions = (abuse: AbuseRun): History => ({
  deleted: abuse.scale(1000),
  order: 'in random order',
  hours: 26,
  expired: true,
});

const baselineCount = 5;
const histories = new Map<string, Promise<SeededConversation>>();

/** Creates a conversation with the given history. Seeds each history once and then copies it. */
export async function seedConversation(
  abuse: AbuseRun,
  history: History = {},
): Promise<SeededConversation> {
  const name = JSON.stringify(history);
  const known = histories.get(name) ?? createSeededConversation(abuse, history);
  histories.set(name, known);
  const { id, ann, bob, messages, deleted } = await known;
  const [newAnn, newBob] = await Promise.all([
    abuse.createParticipant('ann'),
    abuse.createParticipant('bob'),
  ]);
  const copy = await copyConversation(
    id,
    new Map([
      [ann.id, newAnn.id],
      [bob.id, newBob.id],
    ]),
  );
  const renamed = (messageId: string) => messageId.replace(id, copy);
  return {
    id: copy,
    ann: newAnn,
    bob: newBob,
    messages: messages.map((one) => ({ ...one, id: renamed(one.id) })),
    deleted: deleted.map(renamed),
  };
}

async function createSeededConversation(
  abuse: AbuseRun,
  { hours = 0, deleted: count = 0, order, retainOneIn, expired = false }: History,
): Promise<SeededConversation> {
  const [ann, bob] = await Promise.all([
    abuse.createParticipant('ann'),
    abuse.createParticipant('bob'),
  ]);
  return withClockHoursAgo(hours, async () => {
    const id = await openConversation(ann, { contact_id: bob.id });
    const { messages, deleted } = await seedDeletedMessages(ann, id, {
      first: baselineCount,
      count,
      order,
      retainOneIn,
    });
    if (expired) await removeExpired(id);
    return { id, ann, bob, messages, deleted };
  });
}

export async function addMessages(
  { id, ann, messages }: SeededConversation,
  texts: string[],
): Promise<void> {
  const ids = await sendTexts(ann, id, texts);
  messages.push(...ids.map((one, n) => ({ id: one, text: texts[n] ?? '' })));
}

const textsOf = (data: { message: string }[]) => data.map(({ message }) => message);

/** Returns at most the last ten texts, newest first. */
const newest = (texts: string[]) => texts.slice(-10).reverse();

export function readCalls({ id, bob, messages }: SeededConversation): HonestCall[] {
  const texts = messages.map(({ text }) => text);
  const [first, last] = [messages[0]?.id ?? '', messages.at(-1)?.id ?? ''];
  const list = (title: string, cursor: Record<string, string>, wanted: string[]) => {
    const sent = { query: { conversation_id: id, ...cursor } };
    return honestCall(title, bob, listMessages, sent, ({ data }) => {
      expect(textsOf(data)).toEqual(wanted);
    });
  };
  return [
    list('list ten messages', {}, newest(texts)),
    list(
      'poll for messages since the first',
      { ending_before: first },
      texts.slice(1, 11).reverse(),
    ),
    list('poll for new messages', { ending_before: last }, []),
    list('list messages before the last', { starting_after: last }, newest(texts.slice(0, -1))),
    honestCall('list messages across conversations', bob, listMessages, {}, ({ data }) => {
      expect(textsOf(data)).toEqual(newest(texts));
    }),
    honestCall(
      'list messages across conversations before the last',
      bob,
      listMessages,
      { query: { starting_after: last } },
      ({ data }) => {
        expect(textsOf(data)).toEqual(newest(texts.slice(0, -1)));
      },
    ),
    honestCall(
      'list messages across conversations after the first',
      bob,
      listMessages,
      { query: { ending_before: first } },
      ({ data }) => {
        expect(textsOf(data)).toEqual(texts.slice(1, 11).reverse());
      },
    ),
    honestCall('retrieve the conversation', bob, retrieveConversation, {
      path: { conversation_id: id },
    }),
  ];
}

let sent = 0;

/** Returns a call in which Bob sends a message, which later reads must include. */
export function sendCalls({ id, bob, messages }: SeededConversation): HonestCall[] {
  sent += 1;
  const message = `Answer ${sent}`;
  const body = { conversation_id: id, message };
  return [
    honestCall('send', bob, sendMessage, { body }, (reply) => {
      messages.push({ id: reply.id, text: message });
    }),
  ];
}
