import { describe, expect, test } from '@jest/globals';
import { type LiveOptions, live } from '../../../../../client/src/index.ts';
import { withUpdate } from '../../../../../client/src/live/stores/optimistic-changes.ts';
import {
  newConversation,
  newMessage,
  toMessage,
} from '../../../simulation/simulated-conversations.ts';
import { goodConditions } from '../../../simulation/simulated-network.ts';
import { advanceTime, createSimulation, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;

async function startConversation(options: LiveOptions = {}) {
  const { service, network, client } = createSimulation(13);
  const conversation = service.create('bob', { contact: 'ann' });
  const sendText = (text: string) => service.send('bob', conversation, text);
  const [first] = ['one', 'two', 'three'].map(sendText);
  const inbox = live(client, { WebSocket: network.WebSocket, ...options });
  await advanceTime(minute);
  const open = inbox.open(conversation.id, { peek: true });
  await advanceTime(minute);
  network.requests.length = 0;
  const texts = () => open.getSnapshot().messages.map(({ message }) => message);
  const listed = () => inbox.getSnapshot().conversations[0];
  const refuse = (request: RegExp) => {
    network.overrideReply = (one) =>
      request.test(one)
        ? { status: 403, body: { code: 'not_allowed', message: 'Not yours.' } }
        : undefined;
  };
  const messageId = conversation.messages.at(-1)?.id ?? '';
  const count = (request: string) => network.requests.filter((one) => one === request).length;
  return {
    ...{
      service,
      network,
      client,
      conversation,
      inbox,
      open,
      sendText,
      first,
      texts,
      listed,
      refuse,
    },
    ...{ messageId, count },
  };
}

describe('An edit', () => {
  test('appears at once in the messages and in the list, and stays after the reply', async () => {
    const { open, texts, listed, messageId, inbox } = await startConversation();
    const editing = open.update(messageId, { message: 'edited' });
    expect(texts()).toEqual(['edited', 'two', 'one']);
    expect(listed()?.last_message?.message).toBe('edited');
    const views = new Set<string>();
    open.subscribe(() => views.add(texts().join(' ')));
    await advanceTime(5 * second);
    expect((await editing).message).toBe('edited');
    expect([...views]).toEqual(['edited two one']);
    inbox.close();
  });

  test('is rolled back if the API refuses it, and the call rejects with the API’s message', async () => {
    const { open, texts, listed, messageId, refuse, inbox } = await startConversation();
    refuse(/PUT .v1.messages/);
    const editing = open.update(messageId, { message: 'edited' });
    await Promise.all([expect(editing).rejects.toThrow('Not yours.'), advanceTime(5 * second)]);
    expect(texts()).toEqual(['three', 'two', 'one']);
    expect(listed()?.last_message?.message).toBe('three');
    inbox.close();
  });

  test('is rolled back if the network fails', async () => {
    const { network, open, texts, messageId, inbox } = await startConversation();
    network.conditions.isOffline = true;
    const editing = open.update(messageId, { message: 'edited' });
    await Promise.all([
      expect(editing).rejects.toThrow('cannot be reached'),
      advanceTime(2 * minute),
    ]);
    expect(texts()).toEqual(['three', 'two', 'one']);
    network.conditions = { ...goodConditions };
    inbox.close();
  });
});

describe('A deletion', () => {
  test('removes the message at once', async () => {
    const { open, texts, listed, messageId, inbox } = await startConversation();
    const deleting = open.delete(messageId);
    expect(texts()).toEqual(['two', 'one']);
    expect(listed()?.last_message).toBeNull();
    await advanceTime(10 * second);
    await deleting;
    expect(texts()).toEqual(['two', 'one']);
    expect(listed()?.last_message?.message).toBe('two');
    inbox.close();
  });

  test('is rolled back if the API refuses it, and the call rejects with the API’s message', async () => {
    const { open, texts, messageId, refuse, inbox } = await startConversation();
    refuse(/DELETE/);
    const deleting = open.delete(messageId);
    await Promise.all([expect(deleting).rejects.toThrow('Not yours.'), advanceTime(5 * second)]);
    expect(texts()).toEqual(['three', 'two', 'one']);
    inbox.close();
  });
});

describe('A reaction', () => {
  const conversation = newConversation('bob', { contact: 'ann' }, 0);
  const message = {
    ...toMessage(conversation, newMessage(conversation, 'bob', 'Hello', 0)),
    reactions: [{ ok: ['bob'] }, { no: ['ann'] }],
  };
  test.each([
    [
      'adds the user to an existing name',
      { ok: ['ann'] },
      [{ ok: ['bob', 'ann'] }, { no: ['ann'] }],
    ],
    ['removes the user, and the name if it has no users left', { no: [] }, [{ ok: ['bob'] }]],
    [
      'adds a new name with only the user',
      [{ new: ['ann', 'carol'] }],
      [{ ok: ['bob'] }, { no: ['ann'] }, { new: ['ann'] }],
    ],
    ['does not add the user twice', { no: ['ann'] }, [{ ok: ['bob'] }, { no: ['ann'] }]],
  ])('%s', (_, reactions, expected) => {
    expect(withUpdate(message, { reactions }, 'ann').reactions).toEqual(expected);
  });
});

describe('A read mark', () => {
  test('takes effect at once, and is sent within a second', async () => {
    const { open, listed, count, inbox, conversation } = await startConversation();
    expect(listed()?.unread_count).toBe(3);
    const marking = open.markRead();
    expect(listed()?.unread_count).toBe(0);
    expect(open.getSnapshot().conversation?.unread_count).toBe(0);
    await advanceTime(1100);
    await marking;
    expect(count(`PUT /v1/conversations/${conversation.id}`)).toBe(1);
    await advanceTime(minute);
    expect(listed()?.unread_count).toBe(0);
    inbox.close();
  });

  test('is rolled back if the API refuses it, and the call rejects with the API’s message', async () => {
    const { open, listed, refuse, inbox } = await startConversation();
    refuse(/PUT .v1.conversations/);
    const marking = open.markRead();
    await Promise.all([expect(marking).rejects.toThrow('Not yours.'), advanceTime(5 * second)]);
    expect(listed()?.unread_count).toBe(3);
    inbox.close();
  });

  test('leaves later messages unread', async () => {
    const { open, listed, sendText, inbox } = await startConversation();
    open.markRead();
    sendText('four');
    await advanceTime(900);
    expect(listed()?.unread_count).toBe(1);
    inbox.close();
  });

  test('is sent once for all calls within a second, and is not sent if nothing is unread', async () => {
    const { open, sendText, count, inbox, conversation } = await startConversation();
    const marks = () => count(`PUT /v1/conversations/${conversation.id}`);
    for (let n = 0; n < 10; n += 1) {
      open.markRead();
      sendText(`${n}`);
      await advanceTime(90);
    }
    await advanceTime(5 * second);
    expect(marks()).toBe(1);
    open.markRead();
    await advanceTime(5 * second);
    expect(marks()).toBe(1);
    await Promise.all([open.markRead(), advanceTime(5 * second)]);
    expect(marks()).toBe(1);
    inbox.close();
  });

  test('that is waiting to be sent is sent when the conversation is closed', async () => {
    const { open, count, inbox, conversation } = await startConversation();
    open.markRead();
    open.close();
    await advanceTime(100);
    expect(count(`PUT /v1/conversations/${conversation.id}`)).toBe(1);
    inbox.close();
  });
});
