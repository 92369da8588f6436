import { expect } from '@jest/globals';
import { listConversations, retrieveConversation } from '../../../shared/contract/operations.ts';
import { conversationsOf, send } from '../../support/steps.ts';
import { copyOf } from '../support/copy.ts';
import { open, say } from '../support/history.ts';
import { call } from '../support/honest.ts';
import { largest, type MessageSize, small } from '../support/message-sizes.ts';
import type { Siege, Somebody } from '../support/siege.ts';
import { story } from '../support/story.ts';

interface Inbox {
  bob: Somebody;
  /** What Bob is shown of each conversation, the most recently active first. */
  shown: { id: string; unread_count: number; last_message: { message: string } }[];
  /** One that nobody hostile takes part in. */
  friendly: string;
}

/** More than one page counts through, when each message is one of the largest. */
const hostileOnes = 4;
const friends = 5;

/** Bob has heard from friends, and then, a hundred times in each of some conversations, from Mallory. */
async function inbox(siege: Siege, { text, more }: MessageSize): Promise<Inbox> {
  const [bob, mallory] = await Promise.all([siege.somebody('bob'), siege.somebody('mallory')]);
  const shown: Inbox['shown'] = [];
  const add = (id: string, unread_count: number, message: string) =>
    shown.unshift({ id, unread_count, last_message: { message } });
  for (let n = 0; n < friends; n++) {
    const ann = await siege.somebody('ann');
    const id = await open(ann, { contact_id: bob.id });
    await say(ann, id, ['Hello', 'Are you there?']);
    add(id, 2, 'Are you there?');
  }
  const friendly = shown[0]?.id ?? '';
  const first = await open(mallory, { contact_id: bob.id });
  for (let n = 0; n < 99; n++) await send(mallory.caller, first, text, more);
  const copies = [first];
  while (copies.length < hostileOnes) copies.push(await copyOf(first, new Map()));
  for (const id of copies) {
    await send(mallory.caller, id, text, more);
    add(id, 100, text);
  }
  return { bob, shown, friendly };
}

const query = { 'expand[]': ['unread_count', 'last_message'] };

/** What a call gives of messages of that size, and what it may be charged for it: a megabyte, and the one that passes it. */
const unitsOfCall = 300;
/** Of a page a first call each and so many more: see docs/design.md. */
const furtherCalls = 25;
/** The newest of each, which a page shows as well. */
const unitsOfLast = 25;

export const unread = [
  story<Inbox>({
    title:
      'Somebody has sent hundreds of the largest messages, which nobody has read: others’ inboxes tell what is unread in each conversation',
    quiet: (siege) => inbox(siege, small),
    besieged: (siege) => inbox(siege, largest),
    rounds: 3,
    times: 1,
    besides: {
      calls: furtherCalls,
      units: (hostileOnes + furtherCalls) * unitsOfCall + hostileOnes * unitsOfLast,
    },
    honest: ({ bob, shown, friendly }) => [
      call('list the inbox with what is unread', bob, listConversations, { query }, (page) => {
        expect(page.data.length).toBeGreaterThan(0);
        expect(page.data).toMatchObject(shown.slice(0, page.data.length));
        expect(page.has_more).toBe(page.data.length < shown.length);
      }),
      call(
        'retrieve a friend’s conversation with what is unread',
        bob,
        retrieveConversation,
        { path: { conversation_id: friendly }, query },
        (one) => {
          expect(one).toMatchObject(shown[hostileOnes] ?? {});
        },
      ),
    ],
    moreover: async ({ bob, shown }) => {
      const all: unknown[] = [];
      for (let from: string | undefined, more = true; more; ) {
        const cursor = from === undefined ? {} : { starting_after: from };
        const page = await conversationsOf(bob.caller, { ...query, ...cursor });
        // Nobody is stuck.
        expect(page.data.length).toBeGreaterThan(0);
        all.push(...page.data);
        from = page.data.at(-1)?.id;
        more = page.has_more;
      }
      expect(all).toMatchObject(shown);
    },
  }),
];
