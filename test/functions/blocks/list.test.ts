import { describe, expect, test } from '@jest/globals';
import { listBlocks } from '../../../shared/contract/operations.ts';
import { block, getBlocks, unblock } from '../../support/handlers/api-calls.ts';
import { refused } from '../../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { person } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

describe('The list of blocked contacts', () => {
  test('returns the caller’s own blocks, newest first, in pages in both directions', async () => {
    const { pass } = createVirtualClock();
    const [ann, bob] = [person('ann'), person('bob')];
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) {
      await block(ann, name);
      pass(1000);
    }
    await block(bob, 'ann');
    await unblock(ann, 'b');
    const ids = (page: { data: { contact_id: string }[] }) =>
      page.data.map(({ contact_id }) => contact_id);
    expect(ids(await getBlocks(ann))).toEqual(['e', 'd', 'c', 'a']);
    const first = await getBlocks(ann, { limit: '2' });
    expect(first).toMatchObject({ has_more: true });
    expect(ids(await getBlocks(ann, { limit: '2', starting_after: 'd' }))).toEqual(['c', 'a']);
    expect(ids(await getBlocks(ann, { limit: '1', ending_before: 'c' }))).toEqual(['d']);
    expect(ids(await getBlocks(bob))).toEqual(['ann']);
  });

  test('rejects a cursor that does not identify a blocked contact', async () => {
    for (const starting_after of ['stranger', 'b~1x', '~', 'x'.repeat(3000)]) {
      expect(
        await refused(listBlocks, { as: person('ann'), query: { starting_after } }),
      ).toMatchObject({ status: 400, param: 'starting_after' });
    }
  });
});
