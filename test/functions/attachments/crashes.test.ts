import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { sendMessage } from '../../../shared/contract/operations.ts';
import { services } from '../../../shared/signing/send-signed.ts';
import type { Item } from '../../../shared/table/calls/access.ts';
import { removeItem } from '../../../shared/table/calls/remove-items.ts';
import { attachmentKey, conversationKey, messageKey } from '../../../shared/table/keys/keys.ts';
import { getFiles, upload } from '../../support/files/use-file-server.ts';
import {
  create,
  removeConversation,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { ann } from '../../support/people/callers.ts';
import { interceptCalls } from '../../support/table/call-hooks.ts';
import { queryAll } from '../../support/table/query-all.ts';
import { purgeKey, runPurgeWorker } from '../../support/workers/purge-worker.ts';
import '../../support/setup/use-table.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const dayMilliseconds = 24 * 60 * 60_000;

/**
 * Runs an action in which the given call to DynamoDB or S3 and all later calls fail. If `isLate`,
 * the given call takes effect before it fails. Returns whether the action reached that call.
 */
async function crashAt(step: number, isLate: boolean, act: () => Promise<unknown>) {
  let calls = 0;
  const guard = async <Result>(proceed: () => Promise<Result>): Promise<Result> => {
    calls += 1;
    if (calls < step) return proceed();
    if (calls === step && isLate) await proceed();
    throw new Error('The process was killed.');
  };
  const undo = interceptCalls((_, proceed) => guard(proceed));
  const { transport } = services;
  const spy = jest
    .spyOn(services, 'transport')
    .mockImplementation((...args) => guard(() => transport(...args)));
  await act().catch(() => {});
  spy.mockRestore();
  undo();
  return calls >= step;
}

async function readState(conversationId: string) {
  const { pk } = conversationKey(conversationId);
  const items: Item[] = await queryAll({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });
  const attachments = items.filter(({ sk }) => String(sk).startsWith('ATTACHMENT#'));
  const messages = items.flatMap(({ sk, id }) => (/^MESSAGE#/.test(String(sk)) && id ? [id] : []));
  return {
    items: attachments.map(({ sk }) => String(sk).slice('ATTACHMENT#'.length)).sort(),
    attachments,
    messages,
    objects: (await getFiles())
      .filter((key) => key.startsWith(`files/${conversationId}/`))
      .map((key) => key.split('/')[2] ?? '')
      .sort(),
  };
}

/** Expects an item for each object, because an object without an item is never removed. */
async function expectNoOrphan(id: string) {
  const { objects, items } = await readState(id);
  expect(objects.filter((one) => !items.includes(one))).toEqual([]);
}

/**
 * Removes expired attachment items, as DynamoDB's TTL does, and invokes the purge worker for each.
 */
async function expire(id: string, now: number) {
  const { attachments } = await readState(id);
  for (const { id: attachment, expires_at } of attachments) {
    if (!(Number(expires_at) * 1000 <= now)) continue;
    const fileId = String(attachment).slice(26);
    const key = attachmentKey({ conversationId: id, fileId });
    await removeItem(key);
    expect(await purgeKey(key)).toEqual([]);
  }
}

async function createConversation() {
  const { id } = await create(ann, { contact_id: 'bob' });
  const files = [await upload(ann, id), await upload(ann, id)];
  return { id, attachments: files.map((file) => ({ id: file })) };
}

/**
 * Runs the test with a crash at each call of the action, before and after the call takes effect.
 * Returns the number of calls.
 */
async function forEachCrash(
  run: (crash: (act: () => Promise<unknown>) => Promise<unknown>) => Promise<void>,
): Promise<number> {
  for (let step = 1; ; step++) {
    let reached = false;
    for (const isLate of [false, true]) {
      await run(async (act) => {
        reached = await crashAt(step, isLate, act);
      });
    }
    if (!reached) return step - 1;
  }
}

describe('A crash at any call', () => {
  test('during the removal of a deleted message’s files leaves no file without an item, and the next attempt removes all files and items', async () => {
    createVirtualClock();
    const steps = await forEachCrash(async (crash) => {
      const { id, attachments } = await createConversation();
      const sent = await send(ann, id, 'Look', { attachments });
      await removeMessage(ann, sent.id);
      await crash(() => purgeKey(messageKey(id, 1)));
      await expectNoOrphan(id);
      expect(await purgeKey(messageKey(id, 1))).toEqual([]);
      expect(await readState(id)).toMatchObject({ items: [], objects: [] });
    });
    // The worker reads the tombstone, removes two files and two items, and updates the tombstone.
    expect(steps).toBeGreaterThanOrEqual(6);
  });

  test('during the purge of a conversation leaves an item for each remaining file, so the next attempt removes all files and items', async () => {
    const time = createVirtualClock();
    const steps = await forEachCrash(async (crash) => {
      const { id, attachments } = await createConversation();
      await send(ann, id, 'Look', { attachments: attachments.slice(1) });
      await removeConversation(ann, id);
      time.pass(60_000);
      await crash(() => runPurgeWorker([id]));
      await expectNoOrphan(id);
      expect(await runPurgeWorker([id])).toEqual([]);
      expect(await readState(id)).toMatchObject({ items: [], objects: [] });
    });
    expect(steps).toBeGreaterThanOrEqual(6);
  });

  test('during a send leaves only the attachments of sent messages once unsent uploads have expired', async () => {
    const steps = await forEachCrash(async (crash) => {
      const time = createVirtualClock();
      const { id, attachments } = await createConversation();
      const body = { conversation_id: id, message: 'Look', attachments };
      await crash(() => request(sendMessage, { as: ann, body }));
      time.pass(dayMilliseconds + 1000);
      await expire(id, time.now());
      const { objects, items, messages } = await readState(id);
      expect(objects).toEqual(items);
      expect(items).toHaveLength(messages.length * 2);
      jest.restoreAllMocks();
    });
    expect(steps).toBeGreaterThanOrEqual(5);
  });
});
