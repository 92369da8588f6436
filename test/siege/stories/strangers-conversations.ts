import { expect } from '@jest/globals';
import { listConversations, listMessages } from '../../../shared/contract/operations.ts';
import { create, remove, removeConversation, send } from '../../support/steps.ts';
import { type Talk, talk } from '../support/conversation.ts';
import { someAtOnce } from '../support/history.ts';
import { call, type HonestCall } from '../support/honest.ts';
import type { AbuseRun } from '../support/siege.ts';
import { scenario } from '../support/story.ts';

/** As many as a page has, and some more, from people one knows. */
const usual = 12;

/** Strangers open conversations with Bob, after all that was said in the one that he cares for. */
async function withStrangers(
  abuse: AbuseRun,
  count: number,
  after: (id: string, by: Awaited<ReturnType<AbuseRun['somebody']>>) => Promise<unknown>,
): Promise<Talk> {
  const sequence = await talk(abuse, { hours: 1 });
  const mallory = await abuse.somebody('mallory');
  await someAtOnce([...Array(count).keys()], async () => {
    const { id } = await create(mallory.caller, { contact_id: sequence.bob.id });
    await after(id, mallory);
  });
  return sequence;
}

const fromOldCursors = ({ bob, messages }: Talk): HonestCall[] => {
  const texts = messages.map(({ text }) => text);
  const last = messages.at(-1)?.id ?? '';
  const middle = messages[2]?.id ?? '';
  return [
    call(
      'list across, back from an old message',
      bob,
      listMessages,
      { query: { starting_after: last } },
      ({ data }) => {
        expect(data.map(({ message }) => message)).toEqual(texts.slice(0, -1).reverse());
      },
    ),
    call(
      'list across, two on from an old message',
      bob,
      listMessages,
      { query: { ending_before: middle, limit: '2' } },
      ({ data }) => {
        expect(data.map(({ message }) => message)).toEqual(texts.slice(3, 5).reverse());
      },
    ),
    call('list ten across', bob, listMessages, {}),
    call('list conversations', bob, listConversations, {}),
    call(
      'list muted conversations',
      bob,
      listConversations,
      { query: { muted: 'true' } },
      ({ data }) => {
        expect(data).toEqual([]);
      },
    ),
  ];
};

const strangers = (
  title: string,
  after: Parameters<typeof withStrangers>[2],
  maxUnits?: (abuse: AbuseRun) => number,
) =>
  scenario<Talk>({
    title,
    quiet: (abuse) => withStrangers(abuse, usual, after),
    abused: (abuse) => withStrangers(abuse, abuse.many(200), after),
    honest: fromOldCursors,
    ...(maxUnits !== undefined && { maxUnits }),
  });

/** The index has a page of entries more to tell, at half a unit for 4 KB. */
const entriesRead = (abuse: AbuseRun) => 20 + abuse.many(200) / 15;
/** Only the table knows that nothing is left of what was said: a look at each, of a unit, or two halves, and what the index tells. */
const eachLookedAt = (abuse: AbuseRun) => 40 + abuse.many(200) * 1.5;

export const strangersConversations = [
  strangers(
    'Strangers open hundreds of conversations with somebody, and say something in each',
    (id, by) => send(by.caller, id, 'Buy this'),
    entriesRead,
  ),
  strangers(
    'Strangers open hundreds of conversations with somebody, and delete what they said',
    async (id, by) => remove(by.caller, (await send(by.caller, id, 'Buy this')).id),
    eachLookedAt,
  ),
  strangers(
    'Strangers open hundreds of conversations with somebody, and say nothing',
    async () => undefined,
    entriesRead,
  ),
  strangers(
    'Strangers open hundreds of conversations with somebody, and delete them',
    async (id, by) => {
      await send(by.caller, id, 'Buy this');
      await removeConversation(by.caller, id);
    },
  ),
];
