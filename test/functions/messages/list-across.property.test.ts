import { expect, jest, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { sendMessage } from '../../../shared/contract/operations.ts';
import { parseMessageId } from '../../../shared/ids.ts';
import { create, removeMessage, send } from '../../support/handlers/api-calls.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { hideConversation, walkAcross } from '../../support/handlers/list-across.ts';
import { person } from '../../support/people/callers.ts';
import fc from '../../support/setup/fast-check.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { beforeMessagePut } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

/**
 * The creator of a conversation, its contact or group, and whether the reader is a participant at
 * the end.
 */
const kinds = [
  { by: 'reader', body: { contact_id: 'friend' }, shown: true },
  { by: 'friend', body: { contact_id: 'reader' }, shown: true },
  { by: 'friend', body: { group_id: 'team' }, shown: true },
  { by: 'friend', body: { group_id: 'team', contact_id: 'reader' }, shown: true },
  { by: 'friend', body: { group_id: 'foreign', contact_id: 'reader' }, shown: true },
  { by: 'reader', body: { contact_id: 'reader' }, shown: true },
  { by: 'friend', body: { group_id: 'foreign' }, shown: false },
  { by: 'friend', body: { contact_id: 'stranger' }, shown: false },
  { by: 'reader', body: { group_id: 'left' }, shown: false },
] as const;

const conversations = fc.array(fc.nat({ max: kinds.length - 1 }), { minLength: 1, maxLength: 9 });
/** A step in a conversation, with a clock skew in milliseconds. */
const changeEvent = fc.record({
  conversationIndex: fc.nat(),
  skew: fc.integer({ min: -3, max: 3 }),
  change: fc.oneof(
    { weight: 10, arbitrary: fc.constant({ action: 'send' as const, times: 1 }) },
    {
      weight: 3,
      arbitrary: fc.record({
        action: fc.constant('send' as const),
        times: fc.integer({ min: 2, max: 25 }),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ action: 'crash' as const }) },
    {
      weight: 3,
      arbitrary: fc.record({ action: fc.constant('remove' as const), which: fc.nat() }),
    },
    { weight: 1, arbitrary: fc.constant({ action: 'hide' as const }) },
  ),
});

interface Sent {
  id: string;
  conversationId: string;
  deleted: boolean;
}

const sortKey = ({ id }: Sent): [number, string, number] => {
  const { sentAt = 0, conversationId = '', sequence = 0 } = parseMessageId(id) ?? {};
  return [sentAt, conversationId, sequence];
};
const newestFirst = (a: Sent, b: Sent) => {
  const [keyA, keyB] = [sortKey(a), sortKey(b)];
  const n = keyA.findIndex((part, index) => part !== keyB[index]);
  return n >= 0 && (keyA[n] ?? 0) > (keyB[n] ?? 0) ? -1 : 1;
};

let runs = 0;
function people(): Record<'reader' | 'friend', Caller> & { idOf: (name: string) => string } {
  runs += 1;
  const idOf = (name: string) => `${name}-${runs}`;
  return {
    idOf,
    reader: person(idOf('reader'), { groups: [idOf('team'), idOf('left')] }),
    friend: person(idOf('friend'), { groups: [idOf('team'), idOf('foreign'), idOf('left')] }),
  };
}

test('Paging across conversations returns each accessible message once, in the same order in both directions', async () => {
  await fc.assert(
    fc.asyncProperty(
      conversations,
      fc.array(changeEvent, { maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }),
      fc.nat(),
      async (chosen, scenario, limits, cursorAt) => {
        const { idOf, ...callers } = people();
        const base = clock.now();
        const known = await Promise.all(
          chosen.map(async (kind) => {
            const { by, body, shown } = kinds[kind] ?? kinds[0];
            const named = Object.entries(body).map(([name, value]) => [name, idOf(value)]);
            const { id } = await create(callers[by], Object.fromEntries(named));
            return { id, by, shown, hidden: false };
          }),
        );
        const sent: Sent[] = [];
        for (const [n, { conversationIndex, skew, change }] of scenario.entries()) {
          jest.spyOn(clock, 'now').mockReturnValue(base + n + skew);
          const conversation = known[conversationIndex % known.length];
          if (!conversation || conversation.hidden) continue;
          const { id, by } = conversation;
          if (change.action === 'send') {
            for (let time = 0; time < change.times; time++) {
              sent.push({
                id: (await send(callers[by], id, 'x')).id,
                conversationId: id,
                deleted: false,
              });
            }
          } else if (change.action === 'crash') {
            const undo = beforeMessagePut(() =>
              Promise.reject(new Error('The function crashes here.')),
            );
            await request(sendMessage, {
              as: callers[by],
              body: { conversation_id: id, message: 'x' },
            });
            undo();
          } else if (change.action === 'remove') {
            const own = sent.filter((one) => one.conversationId === id && !one.deleted);
            const one = own[change.which % Math.max(own.length, 1)];
            if (one) await removeMessage(callers[by], one.id);
            if (one) one.deleted = true;
          } else {
            await hideConversation(id);
            conversation.hidden = true;
          }
        }
        jest.restoreAllMocks();

        const visible = new Set(
          known.filter((one) => one.shown && !one.hidden).map(({ id }) => id),
        );
        const inOrder = sent.toSorted(newestFirst);
        const shown = inOrder.filter(
          ({ conversationId, deleted }) => visible.has(conversationId) && !deleted,
        );
        const cursor = inOrder[cursorAt % Math.max(inOrder.length, 1)];
        const reader = person(idOf('reader'), { groups: [idOf('team')] });
        let turn = 0;
        const limit = () => limits[turn++ % limits.length] ?? 1;

        const beyond = (sign: number) =>
          shown.filter((one) => cursor && one !== cursor && newestFirst(one, cursor) === sign);
        const forwards = { parameter: 'starting_after', reversed: false } as const;
        const backwards = { parameter: 'ending_before', reversed: true } as const;
        const walks = [
          { ...forwards, from: undefined, expected: shown },
          ...(cursor
            ? [
                { ...forwards, from: cursor.id, expected: beyond(1) },
                { ...backwards, from: cursor.id, expected: beyond(-1) },
              ]
            : []),
        ];
        for (const { parameter, reversed, from, expected } of walks) {
          const { pages, limits: usedLimits } = await walkAcross(reader, parameter, {
            limit,
            from,
          });
          const returned = (reversed ? pages.toReversed() : pages).flat();
          expect(returned.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
          // Because `has_more` is exact, only the last page may be short. A page may be empty only
          // if it is the only page.
          expect(pages.slice(0, -1).map(({ length }) => length)).toEqual(usedLimits.slice(0, -1));
          if (pages.length > 1) expect(pages.at(-1)).not.toEqual([]);
        }
      },
    ),
    { numRuns: selectSize(8, 40) },
  );
});
