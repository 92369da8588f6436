import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  listConversations,
  listMessages,
  retrieveMessage,
  sendMessage,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import {
  create,
  edit,
  getMessage,
  list,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { toMissingId } from '../../support/handlers/missing-id.ts';
import { createTrio } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

const { cleo, xavier, tina } = createTrio();
const expandReply = { 'expand[]': 'reply_to' };
const expandMentions = { 'expand[]': 'mentions' };

let id: string;
beforeEach(async () => {
  ({ id } = await create(cleo, { contact_id: xavier.id }));
});

const listExpanded = (query: Record<string, string>) =>
  ok(listMessages, { as: xavier, query: { conversation_id: id, peek: 'true', ...query } });

describe('A reply to a message', () => {
  test('has the fields of a plain message unless expanded', async () => {
    const question = await send(cleo, id, 'Lunch?');
    const plain = await send(xavier, id, 'Yes', { reply_to_id: question.id });
    expect(Object.keys(plain)).toEqual(Object.keys(question));
    expect((await list(cleo, id)).data[0]).not.toHaveProperty('reply_to');
  });

  test('contains the current state of the quoted message in every operation that expands reply_to', async () => {
    const question = await send(cleo, id, 'Lunch?');
    const body = { conversation_id: id, message: 'Yes', reply_to_id: question.id };
    const sent = await ok(sendMessage, { as: xavier, query: expandReply, body });
    expect(sent).toMatchObject({ reply_to_id: question.id, reply_to: question });
    const edited = await edit(cleo, question.id, { message: 'Lunch at noon?' });
    const path = { message_id: sent.id };
    const replies = [
      await ok(retrieveMessage, { as: xavier, path, query: expandReply }),
      await ok(updateMessage, { as: xavier, path, query: expandReply, body: { message: 'Yes!' } }),
      (await listExpanded(expandReply)).data[0],
      (await ok(listMessages, { as: cleo, query: { ...expandReply, limit: '1' } })).data[0],
    ];
    for (const reply of replies)
      expect(reply).toMatchObject({ reply_to_id: question.id, reply_to: edited });
    expect((await listExpanded(expandReply)).data[1]).toMatchObject({
      reply_to_id: null,
      reply_to: null,
    });
  });

  test('quotes large content in full until the quoted message is deleted, after which reply_to is null', async () => {
    const question = await send(cleo, id, 'x'.repeat(5000));
    await send(xavier, id, 'Yes', { reply_to_id: question.id });
    expect((await listExpanded(expandReply)).data[0]?.reply_to).toEqual(question);
    await removeMessage(cleo, question.id);
    const [reply] = (await listExpanded(expandReply)).data;
    expect(reply).toMatchObject({ reply_to_id: question.id, reply_to: null });
  });

  test.each([
    [
      'the id of a message in another conversation',
      async () => (await send(cleo, await otherId(), 'Elsewhere')).id,
    ],
    ['not a message id', async () => 'nonsense'],
  ])('is rejected if reply_to_id is %s', async (_, getQuotedId) => {
    const body = { conversation_id: id, message: 'Yes', reply_to_id: await getQuotedId() };
    expect(await refused(sendMessage, { as: xavier, body })).toMatchObject({
      status: 400,
      code: 'parameter_invalid',
      param: 'reply_to_id',
    });
  });

  test('does not reveal to a non-participant whether the quoted message exists', async () => {
    const { id: known } = await send(cleo, id, 'Secret');
    const missing = toMissingId(known);
    for (const reply_to_id of [known, missing]) {
      const body = { conversation_id: id, message: 'Hm', reply_to_id };
      expect(await refused(sendMessage, { as: tina, body })).toMatchObject({
        status: 404,
        param: 'conversation_id',
      });
    }
    const sent = await send(xavier, id, 'Hm', { reply_to_id: missing });
    const call = { as: xavier, path: { message_id: sent.id }, query: expandReply };
    expect((await ok(retrieveMessage, call)).reply_to).toBeNull();
  });

  test('adds nothing to the cost of a send, and costs one call and one read unit to expand', async () => {
    const question = await send(cleo, id, 'Lunch?');
    // The first send stores the sender's contact.
    for (const text of ['Well', 'Hm']) await send(xavier, id, text);
    const plain = { ...usage };
    await send(xavier, id, 'Yes', { reply_to_id: question.id, mentions: ['a', 'b'] });
    expect({ ...usage }).toEqual(plain);
    await listExpanded({});
    const { table_calls, read_units } = usage;
    await listExpanded(expandReply);
    expect([usage.table_calls - table_calls, usage.read_units - read_units]).toEqual([1, 1]);
  });

  test('is replayed with the quoted message if its Idempotency-Key is repeated', async () => {
    const question = await send(cleo, id, 'Lunch?');
    const body = { conversation_id: id, message: 'Yes', reply_to_id: question.id };
    const call = { as: xavier, body, query: expandReply, headers: { 'Idempotency-Key': 'once' } };
    const [first, second] = [await request(sendMessage, call), await request(sendMessage, call)];
    expect(second.body).toEqual(first.body);
    expect(second.headers['Idempotent-Replayed']).toBe('true');
  });
});

describe('Mentions', () => {
  test('are returned as sent if expanded', async () => {
    const mentions = [xavier.id, 'someone-else'];
    const { id: sent } = await send(cleo, id, 'Hello @xavier', { mentions });
    await edit(cleo, sent, { message: 'Hello again' });
    const [message] = (await listExpanded(expandMentions)).data;
    expect(message?.mentions).toEqual(mentions);
    const plain = await send(cleo, id, 'To all');
    const call = { as: cleo, path: { message_id: plain.id }, query: expandMentions };
    expect((await ok(retrieveMessage, call)).mentions).toEqual([]);
    expect(await getMessage(cleo, plain.id)).not.toHaveProperty('mentions');
  });

  test.each([
    ['more than 25', Array.from({ length: 26 }, (_, n) => `contact-${n}`)],
    ['a string', 'xavier'],
    ['invalid ids', ['not an id']],
  ])('are rejected if they are %s', async (_, mentions) => {
    const body = { conversation_id: id, message: 'Hello', mentions };
    expect(await refused(sendMessage, { as: cleo, body })).toMatchObject({
      status: 400,
      code: 'parameter_invalid',
      param: expect.stringMatching(/^mentions/),
    });
  });

  test('set the expanded mentioned field to true for the mentioned contact until the message is read or deleted', async () => {
    const query = { 'expand[]': ['mentioned', 'unread_count'] };
    const getMentioned = async (as: typeof cleo) => {
      const { data } = await ok(listConversations, { as, query });
      const one = data.find((conversation) => conversation.id === id);
      return [one?.mentioned, one?.unread_count];
    };
    await send(cleo, id, 'Hello');
    expect(await getMentioned(xavier)).toEqual([false, 1]);
    const { id: sent } = await send(cleo, id, 'Hello @xavier', { mentions: [xavier.id] });
    await send(cleo, id, 'And more');
    expect(await getMentioned(xavier)).toEqual([true, 3]);
    expect(await getMentioned(cleo)).toEqual([false, 0]);
    await removeMessage(cleo, sent);
    expect(await getMentioned(xavier)).toEqual([false, 2]);
    await send(cleo, id, '@xavier', { mentions: [xavier.id] });
    expect(await getMentioned(xavier)).toEqual([true, 3]);
    await list(xavier, id);
    expect(await getMentioned(xavier)).toEqual([false, 0]);
  });
});

async function otherId(): Promise<string> {
  return (await create(cleo, { contact_id: xavier.id })).id;
}
