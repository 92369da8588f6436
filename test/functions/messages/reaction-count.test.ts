import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { updateMessage } from '../../../shared/contract/operations.ts';
import { messageLimits } from '../../../shared/contract/schema/message-limits.ts';
import { create, edit, getMessage, react, send } from '../../support/handlers/api-calls.ts';
import { refused } from '../../support/handlers/invoke-handler.ts';
import { ann, bob, person } from '../../support/people/callers.ts';
import { beforeFirstCall, isUpdate } from '../../support/table/call-hooks.ts';
import { type HttpHook, interceptHttp, recordHttpCalls } from '../../support/table/http-hooks.ts';
import {
  countStoredReactions,
  removeReactionCount,
  seedReactions,
} from '../../support/table/stored-reactions.ts';
import '../../support/setup/use-table.ts';

const carl = person('carl', { groups: ['team'] });
const maxReactions = messageLimits.reactions;

let id: string;
beforeEach(async () => {
  const member = { ...ann, groups: ['team'] };
  const { id: conversation } = await create(member, { group_id: 'team', contact_id: 'bob' });
  ({ id } = await send(bob, conversation, 'React!'));
});

let wire: HttpHook | undefined;
afterEach(async () => {
  await wire?.remove();
  wire = undefined;
});

/** Lets the next update succeed, runs another change, and loses the update's reply. */
function loseReply(meanwhile: () => Promise<unknown> = async () => undefined) {
  let isLost = false;
  wire = interceptHttp(async ({ operation }, proceed) => {
    const reply = await proceed();
    if (operation !== 'UpdateItem' || isLost) return reply;
    isLost = true;
    await meanwhile();
    throw Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' });
  });
}

describe('The reaction count of a message', () => {
  test.each([
    ['includes a repeated reaction once', { ok: ['bob'] }, 1],
    ['ignores the removal of an absent reaction', { ok: ['bob'], fine: [] }, 1],
    ['includes a reaction for each name', { ok: ['bob.name'], fine: ['bob'] }, 2],
    [
      'includes each reaction in a list of maps once',
      [{ ok: ['bob'] }, { ok: ['bob'] }, { fine: ['bob', 'bob'] }],
      2,
    ],
  ])('%s', async (_, reactions, count) => {
    await react(bob, id, reactions);
    await react(bob, id, reactions);
    expect(await countStoredReactions(id)).toBe(count);
    await react(carl, id, { ok: ['carl'] });
    await react(bob, id, { ok: [], fine: [], never: [] });
    await react(bob, id, { ok: [] });
    expect(await countStoredReactions(id)).toBe(1);
  });

  test.each(['nothing', 'a reaction', 'an edit'])(
    'includes a reaction once if the table’s reply is lost and %s happens before the retry',
    async (between) => {
      const meanwhile = async () => {
        if (between === 'a reaction') await react(carl, id, { ok: ['carl'] });
        if (between === 'an edit') await edit(bob, id, { message: 'changed' });
      };
      const others = between === 'a reaction' ? ['carl'] : [];
      await react(bob, id, { warm: ['bob'] });
      loseReply(meanwhile);
      expect((await react(bob, id, { ok: ['bob'], warm: [] })).reactions).toEqual([
        { ok: ['bob', ...others] },
      ]);
      await wire?.remove();
      expect(await countStoredReactions(id)).toBe(1 + others.length);
      loseReply();
      await react(bob, id, { ok: [] });
      await wire?.remove();
      expect(await countStoredReactions(id)).toBe(others.length);
    },
  );

  test('includes reactions that other contacts add between the read and the write', async () => {
    beforeFirstCall(isUpdate(), () => react(carl, id, { ok: ['carl'] }));
    const { reactions } = await react(bob, id, { ok: ['bob.name'] });
    expect(reactions).toEqual([{ ok: ['bob', 'carl'] }]);
    expect(await countStoredReactions(id)).toBe(2);
  });

  test('is calculated by the first reaction change if the message has no count', async () => {
    await react(bob, id, { ok: ['bob'], fine: ['bob'] });
    await removeReactionCount(id);
    await react(bob, id, { ok: [] });
    expect(await countStoredReactions(id)).toBe(1);
    await removeReactionCount(id);
    await react(carl, id, { ok: ['carl'] });
    expect(await countStoredReactions(id)).toBe(2);
  });

  test.each([
    ['just fits', 1],
    ['replaces another', 0],
  ])('near its limit allows a reaction that %s, then refuses another', async (_, room) => {
    await seedReactions(id, 'ok', maxReactions - 1);
    await react(carl, id, { fine: ['carl'] });
    if (room) await react(carl, id, { fine: [] });
    const change = room ? { heart: ['carl'] } : { heart: ['carl'], fine: [] };
    const calls = await recordHttpCalls(() => react(carl, id, change));
    // The check of the limit does not read the message.
    expect(calls.map(({ operation }) => operation)).toEqual(['GetItem', 'UpdateItem']);
    expect(await countStoredReactions(id)).toBe(maxReactions);
    const call = { as: bob, path: { message_id: id }, body: { reactions: { ok: ['bob'] } } };
    expect(await refused(updateMessage, call)).toMatchObject({
      status: 422,
      code: 'reactions_full',
      param: 'reactions',
    });
    expect(await getMessage(carl, id)).toMatchObject({ reactions: [{ heart: ['carl'] }, {}] });
    expect(await countStoredReactions(id)).toBe(maxReactions);
  });

  test('that exceeds the limit in older data allows removals but no additions', async () => {
    await seedReactions(id, 'ok', maxReactions + 5);
    const early = person('p0', { groups: ['team'] });
    const body = { reactions: { ok: [], fine: ['p0'] } };
    const call = { as: early, path: { message_id: id }, body };
    expect(await refused(updateMessage, call)).toMatchObject({ code: 'reactions_full' });
    await react(early, id, { ok: [] });
    expect(await countStoredReactions(id)).toBe(maxReactions + 4);
  });

  test('stays within the limit when two callers add the last reaction concurrently', async () => {
    await seedReactions(id, 'ok', maxReactions - 1);
    const outcomes = await Promise.allSettled([
      react(bob, id, { ok: ['bob'] }),
      react(carl, id, { fine: ['carl'] }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await countStoredReactions(id)).toBe(maxReactions);
  });
});
