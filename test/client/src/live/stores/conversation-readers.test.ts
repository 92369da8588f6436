import { describe, expect, test } from '@jest/globals';
import { live } from '../../../../../client/src/index.ts';
import { advanceTime, createSimulation, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;

/** Opens Ann's conversation with Bob, in which she has sent a message that Bob has not read. */
async function opened() {
  const { service, network, client } = createSimulation(9);
  const conversation = service.create('ann', { contact: 'bob' });
  const sent = service.send('ann', conversation, 'Seen?');
  const inbox = live(client, { WebSocket: network.WebSocket });
  await advanceTime(minute);
  const open = inbox.open(conversation.id);
  await advanceTime(minute);
  const listReaders = `GET /v1/conversations/${open.id}/readers`;
  return {
    service,
    network,
    inbox,
    open,
    sent,
    listReaders,
    readAsBob: () => service.respond('bob', 'GET', `/v1/messages?conversation_id=${open.id}`, {}),
    /** Returns the id of the last message that Bob has read, as the snapshot shows it. */
    lastReadByBob: () =>
      open.getSnapshot().readers.find(({ contact_id }) => contact_id === 'bob')
        ?.last_read_message_id,
    countRequests: () => network.requests.filter((one) => one === listReaders).length,
  };
}

describe('The readers of an open conversation', () => {
  test('are empty until loadReaders() is called, and then stay up to date', async () => {
    const { inbox, open, sent, readAsBob, lastReadByBob, countRequests } = await opened();
    expect([open.getSnapshot().readers, countRequests()]).toEqual([[], 0]);
    const loading = open.loadReaders();
    await advanceTime(second);
    await loading;
    expect(open.getSnapshot().readers.map(({ contact_id }) => contact_id)).toEqual(['ann']);
    readAsBob();
    await advanceTime(5 * second);
    expect([lastReadByBob(), countRequests()]).toEqual([sent.id, 1]);
    inbox.close();
  });

  test('include a contact who opens the conversation before the reply to loadReaders()', async () => {
    const { network, inbox, open, sent, listReaders, readAsBob, lastReadByBob } = await opened();
    network.conditions.replyDelay = (request) => (request === listReaders ? 5 * second : 0);
    const loading = open.loadReaders();
    await advanceTime(second);
    readAsBob();
    await advanceTime(2 * second);
    expect(lastReadByBob()).toBe(sent.id);
    await advanceTime(5 * second);
    await loading;
    expect(lastReadByBob()).toBe(sent.id);
    inbox.close();
  });

  test('are those of the last loadReaders() if an earlier reply arrives later', async () => {
    const { network, inbox, open, sent, listReaders, readAsBob, lastReadByBob } = await opened();
    network.conditions.lostPushes = 1;
    network.conditions.replyDelay = (request) => (request === listReaders ? 5 * second : 0);
    const earlier = open.loadReaders();
    await advanceTime(second);
    network.conditions.replyDelay = () => 0;
    readAsBob();
    const later = open.loadReaders();
    await advanceTime(second);
    await later;
    expect(lastReadByBob()).toBe(sent.id);
    await advanceTime(10 * second);
    await earlier;
    expect(lastReadByBob()).toBe(sent.id);
    inbox.close();
  });

  test.each([
    { name: 'are loaded again', error: { status: 503, code: 'unavailable' }, retries: 1 },
    { name: 'are not loaded again', error: { status: 403, code: 'forbidden' }, retries: 0 },
  ])(
    '$name after a reply with status $error.status, when the API is reachable again',
    async ({ error: { status, code }, retries }) => {
      const { network, inbox, open, listReaders, countRequests } = await opened();
      network.overrideReply = (request) =>
        request === listReaders ? { status, body: { code } } : undefined;
      const loading = expect(open.loadReaders()).rejects.toMatchObject({ code });
      await advanceTime(20 * second);
      await loading;
      delete network.overrideReply;
      const before = countRequests();
      network.cut();
      await advanceTime(minute);
      expect([countRequests() - before, open.getSnapshot().readers.length]).toEqual([
        retries,
        retries,
      ]);
      inbox.close();
    },
  );

  test('stay empty if the conversation is deleted before the reply to loadReaders()', async () => {
    const { service, network, inbox, open, listReaders } = await opened();
    network.conditions.replyDelay = (request) => (request === listReaders ? 5 * second : 0);
    const loading = open.loadReaders();
    await advanceTime(second);
    service.respond('bob', 'DELETE', `/v1/conversations/${open.id}`, {});
    await advanceTime(10 * second);
    await loading;
    expect(open.getSnapshot()).toMatchObject({ status: 'gone', readers: [] });
    inbox.close();
  });
});
