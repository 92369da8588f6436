import { beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { listMessages, updateMessage } from '../../../shared/contract/operations.ts';
import { maxExternalIdLength } from '../../../shared/contract/schema/field-types.ts';
import { messageLimits } from '../../../shared/contract/schema/message-limits.ts';
import { resetUsage, usage } from '../../../shared/log/usage.ts';
import {
  changeConversation,
  create,
  edit,
  getConversation,
  getMessage,
  list,
  react,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { ok, refused } from '../../support/handlers/invoke-handler.ts';
import { person } from '../../support/people/callers.ts';
import { largestMessageBytes, maxItemBytes } from '../../support/table/max-message-size.ts';
import { getStoredMessage } from '../../support/table/stored-reactions.ts';
import '../../support/setup/use-table.ts';

const { reactionNames, reactionNameCharacters, reactions: maxReactions } = messageLimits;

const member = (n: number) =>
  person(`${'m'.repeat(maxExternalIdLength - 2)}${n + 10}`, { groups: ['team'] });
/** Contacts who each react with every reaction name. */
const reactors = Array.from({ length: maxReactions / reactionNames }, (_, n) => member(n));
const [first = member(0)] = reactors;
const sender = member(60);
const late = member(61);

/** Names of the maximum length, with four bytes per character. */
const names = Array.from(
  { length: reactionNames },
  (_, n) => '🎉'.repeat(reactionNameCharacters - 1) + String.fromCodePoint(0x1f600 + n),
);
const [oneName = ''] = names;
const byAllNames = (id: string) => Object.fromEntries(names.map((name) => [name, [id]]));

const text = (character: string) => character.repeat(messageLimits.textCharacters);
const attachment = { a: 'x'.repeat(messageLimits.attachmentBytes - '{"a":""}'.length) };
const attachments = Array.from({ length: messageLimits.attachments }, () => attachment);

describe('A message with the maximum content', () => {
  test('takes at most 240 KB, less than 60% of the maximum item size', () => {
    expect(largestMessageBytes).toBeLessThan(0.6 * maxItemBytes);
    expect(Math.ceil(largestMessageBytes / 1024)).toBeLessThanOrEqual(240);
  });

  const sendFull = async () => {
    const conversation = (await create(sender, { group_id: 'team' })).id;
    const { id } = await send(sender, conversation, text('🦉'), { attachments });
    for (const reactor of reactors) await react(reactor, id, byAllNames(reactor.id));
    return { conversation, id };
  };
  let conversation: string;
  let id: string;
  beforeAll(async () => {
    ({ conversation, id } = await sendFull());
  });
  const full = async () => {
    const { reactions } = await getStoredMessage(id);
    expect(Object.values(reactions).reduce((sum, { size }) => sum + size, 0)).toBe(maxReactions);
  };

  test('rejects another reaction', async () => {
    await full();
    for (const reactions of [{ [oneName]: [late.id] }, { [oneName]: [late.username] }]) {
      const call = { as: late, path: { message_id: id }, body: { reactions } };
      expect(await refused(updateMessage, call)).toEqual({
        status: 422,
        type: 'invalid_request',
        code: 'reactions_full',
        param: 'reactions',
        message:
          'The message would have more than 1000 reactions. Do not retry. Remove a reaction first, or in the same request.',
      });
    }
    await full();
  });

  test('accepts a reaction that already exists', async () => {
    await react(first, id, { [oneName]: [first.id] });
    await react(first, id, byAllNames(first.id));
    await react(late, id, { [oneName]: [], fresh: [] });
    await full();
  });

  test('can be pinned, listed, retrieved, updated with the retrieved fields, and edited', async () => {
    await changeConversation(late, conversation, { pinned_message_id: id });
    const read = await list(late, conversation);
    expect(read.data).toMatchObject([{ id, read_at: expect.any(Number) }]);
    const [newest] = (await ok(listMessages, { as: late, query: { limit: '1' } })).data;
    expect(newest).toEqual(read.data[0]);
    const seen = await getMessage(late, id);
    expect(await edit(late, id, seen)).toEqual(seen);
    expect(await edit(sender, id, { ...seen, message: text('🦆') })).toMatchObject({
      message: text('🦆'),
      reactions: seen.reactions,
      attachments,
    });
    await full();
  });

  test('has the calculated size, within 3%', async () => {
    resetUsage();
    await edit(sender, id, { message: text('🦚') });
    const bytes = v.parse(v.number(), usage.write_units) * 1024;
    expect(bytes).toBeLessThanOrEqual(largestMessageBytes + 1024);
    expect(bytes).toBeGreaterThan(0.97 * largestMessageBytes);
  });

  test('can be pinned and retrieved at a bounded cost, can lose a reaction, and can be deleted with its pin', async () => {
    const units = largestMessageBytes / 1024;
    const { conversation, id } = await sendFull();
    for (const pinned_message_id of [null, id]) {
      await changeConversation(sender, conversation, { pinned_message_id });
      expect(usage.write_units).toBeLessThanOrEqual(2 * units + 4);
    }
    await getMessage(late, id);
    expect(usage.read_units).toBeLessThanOrEqual(units / 4 + 2);
    const { reactions } = await react(first, id, { [oneName]: [] });
    expect(reactions.find((map) => map[oneName])?.[oneName]).toHaveLength(reactors.length - 1);
    await removeMessage(sender, id);
    expect((await list(late, conversation)).data).toEqual([]);
    expect(await getConversation(late, conversation)).toMatchObject({ pinned_message_id: null });
  });
});
