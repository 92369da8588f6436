import { describe, expect, jest, test } from '@jest/globals';
import { type LiveOptions, live } from '../../../../../client/src/index.ts';
import { createMemoryStorage } from '../../../simulation/memory-storage.ts';
import { goodConditions } from '../../../simulation/simulated-network.ts';
import { advanceTime, createSimulation, useSimulatedTime } from '../../../simulation/simulation.ts';
import { createFile } from '../../../simulation/upload-replies.ts';

useSimulatedTime();

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

async function startConversation(options: LiveOptions = {}) {
  const { service, network, client } = createSimulation(11);
  const conversation = service.create('bob', { contact: 'ann' });
  const start = () => {
    const inbox = live(client, { WebSocket: network.WebSocket, ...options });
    const open = inbox.open(conversation.id);
    const pending = () =>
      open.getSnapshot().pending.map(({ message, status }) => `${message} ${status}`);
    return { inbox, open, pending };
  };
  const first = start();
  await advanceTime(10 * second);
  const stored = () => conversation.messages.map(({ text, files }) => [text, ...files].join(' '));
  const uploads = () => network.requests.filter((one) => /attachments|files/.test(one));
  const getError = () => first.open.getSnapshot().pending[0]?.error;
  const goOnline = () => {
    network.conditions = { ...goodConditions };
    first.inbox.reconnect();
  };
  return { ...first, network, conversation, start, stored, uploads, getError, goOnline };
}

const refuse = (status: number, body: object) => (path: string) => (request: string) =>
  request === path ? { status, body } : undefined;

describe('A message with files', () => {
  test('shows upload progress, and is sent with its files in order before later messages', async () => {
    const { open, inbox, stored, network } = await startConversation();
    network.conditions.replyDelay = (request) => (request.startsWith('PUT') ? 5 * second : 0);
    const progress: string[] = [];
    open.subscribe(() => {
      const [entry] = open.getSnapshot().pending;
      if (entry) progress.push(entry.files.map(({ loaded }) => loaded).join(' '));
    });
    open.send({ message: 'two photos', files: [createFile('a.png'), createFile('b.png')] });
    open.send({ message: 'text' });
    await advanceTime(second);
    expect(open.getSnapshot().pending[0]).toMatchObject({
      attemptedAt: null,
      files: [
        { name: 'a.png', type: 'image/png', size: 100, loaded: 50, file: expect.any(File) },
        { name: 'b.png', loaded: 0 },
      ],
    });
    await advanceTime(minute);
    expect([...new Set(progress)]).toEqual(['0 0', '50 0', '100 0', '100 50', '100 100', '']);
    expect(stored()).toEqual(['two photos a.png b.png', 'text']);
    inbox.close();
  });

  test('that is written offline is sent once after a restart, even if replies are lost', async () => {
    const storage = createMemoryStorage(5);
    const { network, inbox, open, pending, stored, start } = await startConversation({ storage });
    network.conditions.isOffline = true;
    open.send({ message: 'photo', files: [createFile('a.png')] });
    await advanceTime(minute);
    expect([pending(), stored()]).toEqual([['photo pending'], []]);
    inbox.close();
    expect(storage.files.size).toBe(1);

    network.conditions = { ...goodConditions, lostRequests: 0.6 };
    const second = start();
    await advanceTime(10 * minute);
    expect([second.pending(), stored()]).toEqual([[], ['photo a.png']]);
    expect([storage.values.size, storage.files.size]).toEqual([0, 0]);
    second.inbox.close();
  });

  test('that is discarded during the upload is not sent and does not delay the next message', async () => {
    const storage = createMemoryStorage();
    const { network, inbox, open, pending, stored } = await startConversation({ storage });
    network.conditions.replyDelay = (request) => (request.startsWith('PUT') ? minute : 0);
    const sending = open.send({ message: 'photo', files: [createFile('a.png')] });
    open.send({ message: 'text' });
    await advanceTime(second);
    open.discard(open.getSnapshot().pending[0]?.key ?? '');
    // The next message does not wait for a retry delay.
    await Promise.all([expect(sending).rejects.toThrow('discarded'), advanceTime(100)]);
    expect([pending(), stored()]).toEqual([[], ['text']]);
    expect([storage.values.size, storage.files.size]).toEqual([0, 0]);
    inbox.close();
  });

  test('cannot be discarded after the request to send it has started', async () => {
    const { network, inbox, open, pending, stored, uploads } = await startConversation();
    network.conditions.replyDelay = (request) =>
      request === 'POST /v1/messages' ? 20 * second : 0;
    open.send({ message: 'photo', files: [createFile('a.png')] });
    await advanceTime(5 * second);
    const [entry] = open.getSnapshot().pending;
    expect(entry?.attemptedAt).not.toBeNull();
    await open.discard(entry?.key ?? '');
    expect(pending()).toEqual(['photo pending']);
    await advanceTime(5 * minute);
    expect([pending(), stored()]).toEqual([[], ['photo a.png']]);
    expect(uploads()).toHaveLength(2);
    inbox.close();
  });

  test('stops its upload when the inbox closes', async () => {
    const { network, inbox, open, uploads } = await startConversation();
    network.conditions.isOffline = true;
    open.send({ message: 'photo', files: [createFile('a.png')] });
    await advanceTime(minute);
    inbox.close();
    const before = uploads().length;
    await advanceTime(10 * minute);
    expect(uploads()).toHaveLength(before);
  });
});

describe('A message whose upload', () => {
  test('the API refuses appears as failed with the error, and can be retried', async () => {
    const { network, inbox, open, pending, stored, getError } = await startConversation();
    const full = refuse(422, { code: 'uploads_exceeded', message: 'More than 1 GB today.' });
    network.overrideReply = full('POST /v1/attachments');
    open.send({ message: 'photo', files: [createFile('a.png')] });
    open.send({ message: 'text' });
    await advanceTime(5 * second);
    expect([pending(), stored()]).toEqual([['photo failed'], ['text']]);
    expect(getError()).toMatchObject({ code: 'uploads_exceeded' });
    delete network.overrideReply;
    open.retry(open.getSnapshot().pending[0]?.key ?? '');
    await advanceTime(5 * second);
    expect(stored()).toEqual(['text', 'photo a.png']);
    inbox.close();
  });

  test('cannot read its file appears as failed', async () => {
    const { inbox, open, pending, getError } = await startConversation();
    const file = createFile('a.png');
    file.arrayBuffer = () => Promise.reject(new Error('changed'));
    open.send({ message: 'photo', files: [file] });
    await advanceTime(5 * second);
    expect([pending(), getError()?.name]).toEqual([['photo failed'], 'FileReadError']);
    inbox.close();
  });

  test('lost its file because the storage has no `listFiles` appears as failed after a restart', async () => {
    const { listFiles: _, ...storage } = createMemoryStorage();
    const { network, inbox, open, start } = await startConversation({ storage });
    network.conditions.isOffline = true;
    open.send({ message: 'photo', files: [createFile('a.png')] });
    await advanceTime(minute);
    inbox.close();
    network.conditions = { ...goodConditions };
    const restarted = start();
    await advanceTime(minute);
    const [entry] = restarted.open.getSnapshot().pending;
    expect(entry).toMatchObject({ status: 'failed', files: [{ name: 'a.png', file: null }] });
    expect(entry?.error?.message).toBe('The file a.png is no longer on this device.');
    restarted.inbox.close();
  });

  test('is more than 20 hours old uploads its file again', async () => {
    const { network, inbox, open, stored, uploads, goOnline } = await startConversation();
    network.conditions.replyDelay = (request) => (request.startsWith('PUT') ? hour : 0);
    open.send({ message: 'photo', files: [createFile('a.png')] });
    await advanceTime(minute);
    network.conditions.isOffline = true;
    network.cut();
    await advanceTime(2 * hour);
    jest.setSystemTime(Date.now() + 25 * hour);
    goOnline();
    await advanceTime(minute);
    expect(stored()).toEqual(['photo a.png']);
    const ids = new Set(uploads().filter((one) => one.startsWith('PUT')));
    expect(ids.size).toBe(2);
    inbox.close();
  });

  test('becomes older than 20 hours between two attempts to send keeps its attachment ids', async () => {
    const { network, inbox, open, pending, stored, uploads, conversation } =
      await startConversation();
    const unavailable = { status: 503, body: { code: 'unavailable' } };
    let failing = new RegExp(`PUT /v1/files/${conversation.id}-1`);
    network.overrideReply = (request) => (failing.test(request) ? unavailable : undefined);
    open.send({ message: 'photos', files: [createFile('a.png'), createFile('b.png')] });
    await advanceTime(minute);
    jest.setSystemTime(Date.now() + 19.5 * hour);
    failing = /POST \/v1\/messages/;
    await advanceTime(minute);
    expect(open.getSnapshot().pending[0]?.attemptedAt).not.toBeNull();
    jest.setSystemTime(Date.now() + hour);
    failing = /none/;
    await advanceTime(2 * minute);
    expect([pending(), stored()]).toEqual([[], ['photos a.png b.png']]);
    expect(new Set(uploads().filter((one) => one.startsWith('PUT'))).size).toBe(2);
    inbox.close();
  });

  test('the API no longer accepts appears as failed, and a retry uploads the file again', async () => {
    const { network, inbox, open, pending, stored, uploads } = await startConversation();
    const unusable = refuse(400, { code: 'parameter_invalid', param: 'attachments' });
    network.overrideReply = unusable('POST /v1/messages');
    open.send({ message: 'photo', files: [createFile('a.png')] });
    await advanceTime(5 * second);
    expect(pending()).toEqual(['photo failed']);
    delete network.overrideReply;
    open.retry(open.getSnapshot().pending[0]?.key ?? '');
    await advanceTime(5 * second);
    expect(stored()).toEqual(['photo a.png']);
    expect(new Set(uploads().filter((one) => one.startsWith('PUT'))).size).toBe(2);
    inbox.close();
  });
});
