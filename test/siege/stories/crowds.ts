import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import {
  deleteMessage,
  listMessages,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { request } from '../../support/handlers.ts';
import { list, send } from '../../support/steps.ts';
import { type Talk, talk } from '../support/conversation.ts';
import { open, say } from '../support/history.ts';
import { call, type HonestCall } from '../support/honest.ts';
import type { AbuseRun, Somebody } from '../support/siege.ts';
import { scenario } from '../support/story.ts';

/** What Bob does in the middle of it. Each of his messages is once there, in his order. */
function takingPart(sequence: Talk): HonestCall[] {
  const { id, bob, messages } = sequence;
  const path = { conversation_id: id };
  const own = () => messages.filter(({ text }) => text.startsWith('Bob')).map(({ text }) => text);
  const text = `Bob ${randomUUID()}`;
  const last = messages.at(-1)?.id ?? '';
  return [
    call('send', bob, sendMessage, { body: { ...path, message: text } }, (reply) => {
      messages.push({ id: reply.id, text });
    }),
    call('poll', bob, listMessages, { query: { ...path, ending_before: last, limit: '5' } }),
    call('list five', bob, listMessages, { query: { ...path, limit: '5' } }, ({ data }) => {
      const shown = data.map(({ message }) => message).filter((one) => one.startsWith('Bob'));
      expect(own().slice(own().length - shown.length)).toEqual(shown.toReversed());
    }),
    call('react', bob, updateMessage, {
      path: { message_id: messages[0]?.id ?? '' },
      body: { reactions: { ok: [bob.id] } },
    }),
    call('mute', bob, updateConversation, { path, body: { is_muted: true } }),
  ];
}

const ten = [...Array(10).keys()];

/** How often a pin that meets another one tries again. */
const maxPinTries = 10;

/** A hundred people, each with one message in the group. */
async function crowd(abuse: AbuseRun, claims: { username?: string; picture?: string }) {
  const { id: group } = await abuse.somebody('group');
  const groups = [group];
  const bob = await abuse.somebody('bob', { groups });
  const id = await open(bob, { group_id: group });
  for (let n = 0; n < 100; n++) {
    const { caller } = await abuse.somebody('someone', { groups, ...claims });
    await send(caller, id, 'Hello');
  }
  return { id, bob };
}

/** Ten new messages, as there always are in a lively conversation. */
const lively = ({ ann, id }: Talk) =>
  say(
    ann,
    id,
    ten.map((n) => `Hello again ${n}`),
  );

/**
 * For half of the time nobody else pins, however slow the machine is: so ten tries are enough, as each is a matter of
 * chance.
 */
async function withRests(act: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  await act();
  await sleep(performance.now() - begun);
}

async function pinAndUnpin({ ann, id, messages }: Talk): Promise<void> {
  const pin = (pinned_message_id: string | null) =>
    request(updateConversation, {
      as: ann.caller,
      path: { conversation_id: id },
      body: { pinned_message_id },
    });
  await Promise.all(messages.slice(0, 2).map((one) => pin(one.id)));
  await pin(null);
}

/** Bob's, for him to delete one after the other. */
async function ownMessages(abuse: AbuseRun): Promise<Talk & { own: string[] }> {
  const sequence = await talk(abuse);
  const texts = ten.map((n) => `Never mind ${n}`);
  return { ...sequence, own: await say(sequence.bob, sequence.id, texts) };
}

export const crowds = [
  scenario<Talk>({
    title: 'Somebody sends without a pause',
    quiet: (abuse) => talk(abuse),
    usually: lively,
    abused: (abuse) => talk(abuse),
    meanwhile: async ({ ann, id }) => {
      await Promise.all([1, 2, 3].map((n) => say(ann, id, [`Flood ${n}`])));
    },
    honest: takingPart,
  }),
  scenario<Talk>({
    title:
      'Somebody sends and lists without a pause, so that nobody is given time to take their place',
    quiet: (abuse) => talk(abuse),
    usually: lively,
    abused: (abuse) => talk(abuse),
    meanwhile: async ({ ann, id }) => {
      const looks = () => list(ann.caller, id, { limit: '1' });
      await Promise.all([say(ann, id, ['Flood']), looks(), looks(), looks()]);
    },
    honest: takingPart,
  }),
  scenario<Talk & { own: string[] }>({
    title: 'Somebody pins and unpins the messages that their sender wants to be rid of',
    quiet: ownMessages,
    abused: ownMessages,
    meanwhile: async ({ ann, id, own: [next = null] }) => {
      const pin = (pinned_message_id: string | null) =>
        request(updateConversation, {
          as: ann.caller,
          path: { conversation_id: id },
          body: { pinned_message_id },
        });
      await withRests(() => Promise.all([pin(next), pin(null)]));
    },
    times: maxPinTries,
    honest: ({ bob, own }) => [
      call('delete', bob, deleteMessage, { path: { message_id: own.shift() ?? '' } }),
    ],
  }),
  scenario<Talk>({
    title: 'Somebody pins and unpins without a pause',
    quiet: (abuse) => talk(abuse),
    abused: (abuse) => talk(abuse),
    meanwhile: pinAndUnpin,
    honest: takingPart,
  }),
  scenario<Talk>({
    title: 'Two pin at once: each of them wants the same thing, and has to try again',
    quiet: (abuse) => talk(abuse),
    abused: (abuse) => talk(abuse),
    meanwhile: (sequence) => withRests(() => pinAndUnpin(sequence)),
    times: maxPinTries,
    honest: ({ id, bob, messages }) =>
      [messages[0]?.id ?? '', null].map((pinned_message_id) =>
        call(pinned_message_id ? 'pin' : 'unpin', bob, updateConversation, {
          path: { conversation_id: id },
          body: { pinned_message_id },
        }),
      ),
  }),
  scenario<Talk>({
    title: 'Somebody uses new Idempotency-Keys without end, and some of them twice at once',
    quiet: (abuse) => talk(abuse),
    usually: lively,
    abused: (abuse) => talk(abuse),
    meanwhile: async ({ ann, id }) => {
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
    honest: takingPart,
  }),
  scenario<{ id: string; bob: Somebody }>({
    title: 'A hundred people with the longest profiles have written',
    quiet: (abuse) => crowd(abuse, { username: 'Someone' }),
    abused: (abuse) =>
      crowd(abuse, {
        username: 'Someone '.repeat(200),
        picture: `https://example.com/${'x'.repeat(4000)}`,
      }),
    honest: ({ id, bob }) => [
      call(
        'list a hundred',
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
