import { describe, expect, test } from '@jest/globals';
import { maxRequestMilliseconds } from '../../../shared/clock.ts';
import { pairBlocksKey } from '../../../shared/table/keys/keys.ts';
import { block, create, getBlocks, send, unblock } from '../../support/handlers/api-calls.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { person } from '../../support/people/callers.ts';
import fc from '../../support/setup/fast-check.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { beforeFirstCall, crashAtCall, interceptCalls } from '../../support/table/call-hooks.ts';
import { queryAll } from '../../support/table/query-all.ts';
import { getPurgeWorkerFilter, readNewRecords } from '../../support/workers/live-worker.ts';
import { purgeRecords } from '../../support/workers/purge-worker.ts';
import '../../support/setup/use-table.ts';

const purgeNewChanges = async () => purgeRecords(await readNewPurgeRecords());

async function readNewPurgeRecords() {
  const passes = await getPurgeWorkerFilter();
  return (await readNewRecords()).filter(passes);
}

const isSendAllowed = (as: ReturnType<typeof person>, id: string) =>
  send(as, id, 'Hi').then(
    () => true,
    () => false,
  );

const step = fc.record({
  act: fc.constantFrom('block', 'unblock', 'create'),
  byAnn: fc.boolean(),
  crash: fc.option(
    fc.record({ call: fc.integer({ min: 1, max: 6 }), when: fc.constantFrom('before', 'after') }),
    { freq: 2 },
  ),
});

describe('After the purge worker has processed the stream records of blocks,', () => {
  test('the results of sends, the block lists and the pair’s record agree, even if requests crash at any call', async () => {
    createVirtualClock();
    let pairs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        pairs += 1;
        const [ann, bob] = [person(`ann${pairs}`), person(`bob${pairs}`)];
        const ids = [(await create(ann, { contact_id: bob.id })).id];
        for (const { act, byAnn, crash } of steps) {
          const [one, other] = byAnn ? [ann, bob] : [bob, ann];
          const recover = crash ? crashAtCall(crash.call, crash.when) : () => {};
          try {
            if (act === 'block') await block(one, other.id);
            if (act === 'unblock') await unblock(one, other.id);
            if (act === 'create') ids.push((await create(one, { contact_id: other.id })).id);
          } catch {
            // The step crashed, there was no block to remove, or a block refused the creation.
          }
          recover();
        }
        await purgeNewChanges();
        const blockers = await Promise.all(
          [ann, bob].map(async (one) => (await getBlocks(one)).data.length > 0),
        );
        const [record] = await queryAll({
          KeyConditionExpression: 'pk = :pk AND sk = :sk',
          ExpressionAttributeValues: {
            ':pk': pairBlocksKey(ann.id, bob.id).pk,
            ':sk': pairBlocksKey(ann.id, bob.id).sk,
          },
        });
        expect(blockers).toEqual(
          ['first_blocked_at', 'second_blocked_at'].map((name) => record?.[name] !== undefined),
        );
        const isBlocked = blockers.includes(true);
        for (const id of ids) {
          for (const as of [ann, bob]) expect(await isSendAllowed(as, id)).toBe(!isBlocked);
        }
      }),
      { numRuns: selectSize(20, 150) },
    );
  });

  test('a conversation created concurrently with a block refuses messages', async () => {
    const time = createVirtualClock();
    const [ann, bob] = [person('ann-late'), person('bob-late')];
    beforeFirstCall(
      ({ operation }) => operation === 'PutItem',
      () => block(ann, bob.id),
    );
    const { id } = await create(bob, { contact_id: ann.id });
    expect(await isSendAllowed(bob, id)).toBe(true);
    const start = time.now();
    await purgeNewChanges();
    expect(time.now() - start).toBeGreaterThanOrEqual(maxRequestMilliseconds);
    expect(await isSendAllowed(bob, id)).toBe(false);
  });
});

describe('A purge worker that applies an outdated record does not undo', () => {
  test.each([
    { title: 'a later unblock', isBlockedBefore: true },
    { title: 'a later block', isBlockedBefore: false },
  ])('$title', async ({ isBlockedBefore }) => {
    createVirtualClock();
    const [ann, bob] = [person(`ann-${isBlockedBefore}`), person(`bob-${isBlockedBefore}`)];
    const { id } = await create(ann, { contact_id: bob.id });
    await block(ann, bob.id);
    if (!isBlockedBefore) await unblock(ann, bob.id);
    const change = () => (isBlockedBefore ? unblock(ann, bob.id) : block(ann, bob.id));
    const { pk } = pairBlocksKey(ann.id, bob.id);
    let reads = 0;
    interceptCalls(async ({ operation, input }, proceed) => {
      await proceed();
      if (operation !== 'GetItem' || !JSON.stringify(input).includes(pk)) return;
      reads += 1;
      // The second read is the worker's last read of the record.
      if (reads === 2) await change();
    });
    await purgeNewChanges();
    expect(reads).toBe(2);
    expect(await isSendAllowed(bob, id)).toBe(isBlockedBefore);
  });
});
