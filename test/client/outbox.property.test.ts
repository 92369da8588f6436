import { expect, test } from '@jest/globals';
import { live, type MessageExpansion, type OutboxStorage } from '../../client/src/index.ts';
import fc from '../support/setup/fast-check.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import { createMemoryStorage } from './simulation/memory-storage.ts';
import { goodConditions } from './simulation/simulated-network.ts';
import { advanceTime, createSimulation, useSimulatedTime } from './simulation/simulation.ts';
import { createFile } from './simulation/upload-replies.ts';

useSimulatedTime();

const second = 1000;

/** Simulates a process that ends at the given step. Later requests and writes have no effect. */
function createProcess(endAtStep: number) {
  const state = { step: 0, isDead: false };
  const never = new Promise<never>(() => {});
  /** Runs a step. The process may end before the step takes effect or before its result arrives. */
  const guard = async <Result>(step: () => Promise<Result>): Promise<Result> => {
    if (takeStep()) return never;
    const result = await step();
    return takeStep() ? never : result;
  };
  const takeStep = () => {
    state.isDead ||= state.step >= endAtStep;
    state.step += 1;
    return state.isDead;
  };
  return { state, guard };
}

/**
 * Sends messages in processes that end at the given steps, then checks that a final process sends
 * the pending messages.
 */
async function sendWithCrashes(seed: number, lostRequests: number, ends: readonly number[]) {
  const { service, network, client } = createSimulation(seed);
  const conversation = service.create('bob', { contact: 'ann' });
  const memory = createMemoryStorage(3);
  network.conditions.lostRequests = lostRequests;
  const shown: string[] = [];
  const failed: string[] = [];
  let text = 0;
  for (const endAtStep of [...ends, Number.POSITIVE_INFINITY]) {
    const isLast = endAtStep === Number.POSITIVE_INFINITY;
    if (isLast) network.conditions = { ...goodConditions };
    const { state, guard } = createProcess(endAtStep);
    const storage: OutboxStorage = {
      list: (prefix) => guard(() => memory.list(prefix)),
      put: (...entry) => guard(() => memory.put(...entry)),
      delete: (key) => guard(() => memory.delete(key)),
      listFiles: (key) => guard(() => memory.listFiles(key)),
    };
    const { messages, attachments } = client;
    const guarded = {
      ...client,
      attachments: {
        ...attachments,
        upload: (...request: Parameters<typeof attachments.upload>) =>
          guard(() => attachments.upload(...request)),
      },
      messages: {
        ...messages,
        send: <const Value extends readonly MessageExpansion[] = []>(
          ...request: Parameters<typeof messages.send<Value>>
        ) =>
          Object.assign(
            guard(() => messages.send<Value>(...request)),
            { withResponse: () => messages.send<Value>(...request).withResponse() },
          ),
      },
    };
    const inbox = live(guarded, { WebSocket: network.WebSocket, storage });
    const open = inbox.open(conversation.id);
    open.subscribe(() => {
      if (state.isDead) return;
      for (const { message } of open.getSnapshot().pending)
        if (!shown.includes(message)) shown.push(message);
    });
    await advanceTime(5 * second);
    if (!isLast)
      for (let n = 0; n < 3; n += 1) {
        text += 1;
        const files = text % 2 === 0 ? ['a', 'b'].map((name) => createFile(`${text}${name}`)) : [];
        open.send({ message: `${text}`, files });
        await advanceTime(7);
      }
    await advanceTime(isLast ? 300 * second : 20 * second);
    if (isLast) {
      const { pending } = open.getSnapshot();
      expect(pending.filter(({ status }) => status === 'pending')).toEqual([]);
      failed.push(...pending.map(({ message }) => message));
    }
    state.isDead = true;
    inbox.close();
  }
  const arrived = conversation.messages.map((message) => message.text);
  // A message that was shown as pending arrives once and in order, or appears as failed.
  expect(new Set(arrived).size).toBe(arrived.length);
  expect(arrived).toEqual([...arrived].sort((a, b) => Number(a) - Number(b)));
  for (const message of shown) expect([...arrived, ...failed]).toContain(message);
  for (const message of conversation.messages) {
    const hasFiles = Number(message.text) % 2 === 0;
    expect(message.files).toEqual(hasFiles ? [`${message.text}a`, `${message.text}b`] : []);
  }
  expect(memory.files.size).toBeLessThanOrEqual(failed.length);
}

test('If the process ends at random steps up to four times, each pending message fails or is sent once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.constantFrom(0, 0, 0.3, 0.6),
      fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 4 }),
      sendWithCrashes,
    ),
    { numRuns: selectSize(60, 800) },
  );
}, 240_000);

test('If the process ends at any one of its first 64 steps, each pending message fails or is sent once and in order', async () => {
  for (let endAtStep = 0; endAtStep < 64; endAtStep += 1) await sendWithCrashes(7, 0, [endAtStep]);
});
