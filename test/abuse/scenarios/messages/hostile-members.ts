import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import {
  deleteMessage,
  listMessages,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../../../shared/contract/operations.ts';
import { list, send } from '../../../support/handlers/api-calls.ts';
import { request } from '../../../support/handlers/invoke-handler.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { type HonestCall, honestCall } from '../../support/honest-call.ts';
import { scenario } from '../../support/scenario.ts';
import { openConversation, sendTexts } from '../../support/seed-history.ts';
import { type SeededConversation, seedConversation } from '../../support/seeded-conversation.ts';

/** Returns Bob's calls during the abuse. Each of Bob's messages must appear once, in order. */
function participantCalls(seeded: SeededConversation): HonestCall[] {
  const { id, bob, messages } = seeded;
  const path = { conversation_id: id };
  const own = () => messages.filter(({ text }) => text.startsWith('Bob')).map(({ text }) => text);
  const text = `Bob ${randomUUID()}`;
  const last = messages.at(-1)?.id ?? '';
  return [
    honestCall('send', bob, sendMessage, { body: { ...path, message: text } }, (reply) => {
      messages.push({ id: reply.id, text });
    }),
    honestCall('poll', bob, listMessages, { query: { ...path, ending_before: last, limit: '5' } }),
    honestCall('list five', bob, listMessages, { query: { ...path, limit: '5' } }, ({ data }) => {
      const shown = data.map(({ message }) => message).filter((one) => one.startsWith('Bob'));
      expect(own().slice(own().length - shown.length)).toEqual(shown.toReversed());
    }),
    honestCall('react', bob, updateMessage, {
      path: { message_id: messages[0]?.id ?? '' },
      body: { reactions: { ok: [bob.id] } },
    }),
    honestCall('mute', bob, updateConversation, { path, body: { is_muted: true } }),
  ];
}

const ten = [...Array(10).keys()];

/** Maximum number of attempts of a request whose write conflicts with a pin. */
const maxPinTries = 10;

/** Creates a group conversation in which 100 people have each sent a message. */
async function createMembers(abuse: AbuseRun, claims: { username?: string; picture?: string }) {
  const { id: group } = await abuse.createParticipant('group');
  const groups = [group];
  const bob = await abuse.createParticipant('bob', { groups });
  const id = await openConversation(bob, { group_id: group });
  for (let n = 0; n < 100; n++) {
    const { caller } = await abuse.createParticipant('someone', { groups, ...claims });
    await send(caller, id, 'Hello');
  }
  return { id, bob };
}

const lively = ({ ann, id }: SeededConversation) =>
  sendTexts(
    ann,
    id,
    ten.map((n) => `Hello again ${n}`),
  );

/**
 * Runs the action, then pauses for as long as it took. The pause lets another client succeed within
 * ten attempts with jitter, however slow the machine is.
 */
async function withRetryAfter(action: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  await action();
  await sleep(performance.now() - begun);
}

async function pinAndUnpin({ ann, id, messages }: SeededConversation): Promise<void> {
  const pin = (pinned_message_id: string | null) =>
    request(updateConversation, {
      as: ann.caller,
      path: { conversation_id: id },
      body: { pinned_message_id },
    });
  await Promise.all(messages.slice(0, 2).map((one) => pin(one.id)));
  await pin(null);
}

/** Seeds a conversation with ten messages from Bob, who later deletes them one by one. */
async function seedOwnMessages(abuse: AbuseRun): Promise<SeededConversation & { own: string[] }> {
  const seeded = await seedConversation(abuse);
  const texts = ten.map((n) => `Never mind ${n}`);
  return { ...seeded, own: await sendTexts(seeded.bob, seeded.id, texts) };
}

export const hostileMembers = [
  scenario<SeededConversation>({
    title: 'A member continuously sends messages',
    quiet: (abuse) => seedConversation(abuse),
    beforeRound: lively,
    abused: (abuse) => seedConversation(abuse),
    hostileAction: async ({ ann, id }) => {
      await Promise.all([1, 2, 3].map((n) => sendTexts(ann, id, [`Flood ${n}`])));
    },
    honestCalls: participantCalls,
  }),
  scenario<SeededConversation>({
    title:
      "A member continuously sends and lists messages, so that other senders' reservations expire early",
    quiet: (abuse) => seedConversation(abuse),
    beforeRound: lively,
    abused: (abuse) => seedConversation(abuse),
    hostileAction: async ({ ann, id }) => {
      const listOnce = () => list(ann.caller, id, { limit: '1' });
      await Promise.all([sendTexts(ann, id, ['Flood']), listOnce(), listOnce(), listOnce()]);
    },
    honestCalls: participantCalls,
  }),
  scenario<SeededConversation & { own: string[] }>({
    title: 'A member pins and unpins messages while their sender deletes them',
    quiet: seedOwnMessages,
    abused: seedOwnMessages,
    hostileAction: async ({ ann, id, own: [next = null] }) => {
      const pin = (pinned_message_id: string | null) =>
        request(updateConversation, {
          as: ann.caller,
          path: { conversation_id: id },
          body: { pinned_message_id },
        });
      await withRetryAfter(() => Promise.all([pin(next), pin(null)]));
    },
    maxFactor: maxPinTries,
    honestCalls: ({ bob, own }) => [
      honestCall('delete', bob, deleteMessage, { path: { message_id: own.shift() ?? '' } }),
    ],
  }),
  scenario<SeededConversation>({
    title: 'A member continuously pins and unpins messages',
    quiet: (abuse) => seedConversation(abuse),
    abused: (abuse) => seedConversation(abuse),
    hostileAction: pinAndUnpin,
    honestCalls: participantCalls,
  }),
  scenario<SeededConversation>({
    title: 'Two members pin and unpin messages concurrently and retry on conflict',
    quiet: (abuse) => seedConversation(abuse),
    abused: (abuse) => seedConversation(abuse),
    hostileAction: (seeded) => withRetryAfter(() => pinAndUnpin(seeded)),
    maxFactor: maxPinTries,
    honestCalls: ({ id, bob, messages }) =>
      [messages[0]?.id ?? '', null].map((pinned_message_id) =>
        honestCall(pinned_message_id ? 'pin' : 'unpin', bob, updateConversation, {
          path: { conversation_id: id },
          body: { pinned_message_id },
        }),
      ),
  }),
  scenario<SeededConversation>({
    title:
      'A member continuously sends messages, each in two concurrent requests with one Idempotency-Key',
    quiet: (abuse) => seedConversation(abuse),
    beforeRound: lively,
    abused: (abuse) => seedConversation(abuse),
    hostileAction: async ({ ann, id }) => {
      const keys = [randomUUID(), randomUUID()];
      await Promise.all(
        [...keys, ...keys].map((key, n) =>
          request(sendMessage, {
            as: ann.caller,
            headers: { 'Idempotency-Key': key },
            body: { conversation_id: id, message: `Key ${n % keys.length}` },
          }),
        ),
      );
    },
    honestCalls: participantCalls,
  }),
  scenario<{ id: string; bob: Participant }>({
    title: 'A list contains messages from 100 members with the longest profiles',
    quiet: (abuse) => createMembers(abuse, { username: 'Someone' }),
    abused: (abuse) =>
      createMembers(abuse, {
        username: 'Someone '.repeat(200),
        picture: `https://example.com/${'x'.repeat(4000)}`,
      }),
    honestCalls: ({ id, bob }) => [
      honestCall(
        'list 100 messages',
        bob,
        listMessages,
        { query: { conversation_id: id, limit: '100' } },
        ({ data }) => {
          expect(data).toHaveLength(100);
        },
      ),
    ],
  }),
];
