import { expect, test } from '@jest/globals';
import { createLanes } from '../../../local-cloud/streams/lanes.ts';
import type { StreamRecord } from '../../../local-cloud/streams/stream-event.ts';

const createChange = (n: number, item: string): StreamRecord => ({
  eventID: String(n),
  eventName: 'MODIFY',
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: 'us-east-1',
  eventSourceARN: 'arn',
  dynamodb: {
    ApproximateCreationDateTime: 0,
    SequenceNumber: String(n),
    SizeBytes: 1,
    StreamViewType: 'KEYS_ONLY',
    Keys: { pk: { S: 'conversation' }, sk: { S: item } },
  },
});

/** Creates lanes whose batches end only when the test ends them. */
function createTestLanes(parallelBatches: number, batchSize: number) {
  const stop = new AbortController();
  const running: { ids: string[]; end(): void; fail(): void }[] = [];
  const saved: string[] = [];
  const lanes = createLanes({
    ...{ parallelBatches, batchSize, stopping: stop.signal },
    process: async (records) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const batch = {
        ids: records.map(({ eventID }) => eventID),
        end: resolve,
        fail: () => reject(new Error('broken')),
      };
      running.push(batch);
      await promise.finally(() => running.splice(running.indexOf(batch), 1));
    },
    save: (sequenceNumber) => saved.push(sequenceNumber),
  });
  /** Waits until all pending microtasks have run, so that only the test can cause further work. */
  const pass = () => new Promise<void>((done) => void setImmediate(done));
  const add = (...records: StreamRecord[]) =>
    lanes.add(records.map((record) => ({ record, isRelevant: record.eventName === 'MODIFY' })));
  const getIds = () => running.map(({ ids }) => ids);
  return { lanes, running, saved, add, pass, getIds, stop: () => stop.abort() };
}

/** With two lanes, these items are in different lanes. */
const [slow, quick] = ['b', 'a'];

test('Changes to one item are processed in order, and changes to other items can overtake them', async () => {
  const { add, running, pass, getIds, lanes } = createTestLanes(2, 2);
  add(
    createChange(1, slow),
    createChange(2, quick),
    createChange(3, slow),
    createChange(4, slow),
    createChange(5, quick),
  );
  expect(getIds()).toEqual([
    ['1', '3'],
    ['2', '5'],
  ]);
  running[1]?.end();
  await pass();
  add(createChange(6, quick), createChange(7, slow));
  expect(getIds()).toEqual([['1', '3'], ['6']]);
  running[0]?.end();
  await pass();
  expect(getIds()).toEqual([['6'], ['4', '7']]);
  for (const one of [...running]) one.end();
  await lanes.settled();
  expect(getIds()).toEqual([]);
});

test('Progress is saved up to the first unprocessed record', async () => {
  const { add, running, pass, saved } = createTestLanes(2, 2);
  add(
    { ...createChange(1, slow), eventName: 'REMOVE' },
    createChange(2, slow),
    createChange(3, quick),
  );
  expect(saved).toEqual(['1']);
  running[1]?.end();
  await pass();
  expect(saved).toEqual(['1']);
  running[0]?.end();
  await pass();
  expect(saved).toEqual(['1', '3']);
});

test('Progress is not saved past a failing batch, and the failure is reported when all other batches have ended', async () => {
  const { add, running, pass, saved, lanes } = createTestLanes(2, 2);
  add(createChange(1, slow), createChange(2, quick));
  running[0]?.fail();
  await pass();
  running[0]?.end();
  await lanes.settled();
  await expect(lanes.hasRoom()).rejects.toThrow('broken');
  expect(saved).toEqual([]);
});

test('Reading waits while more than ten batches per lane are queued', async () => {
  const { add, running, pass, lanes } = createTestLanes(1, 1);
  add(...Array.from({ length: 11 }, (_, n) => createChange(n, slow)));
  await lanes.hasRoom();
  add(createChange(11, slow));
  let hasRoom = false;
  const waiting = lanes.hasRoom().then(() => {
    hasRoom = true;
  });
  await pass();
  expect(hasRoom).toBe(false);
  running[0]?.end();
  await waiting;
});

test('No batch starts after a stop', async () => {
  const { add, running, lanes, getIds, stop } = createTestLanes(1, 1);
  add(createChange(1, slow), createChange(2, slow));
  stop();
  running[0]?.end();
  await lanes.settled();
  expect(getIds()).toEqual([]);
});
