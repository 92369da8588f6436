import { expect, test } from '@jest/globals';
import { create, list, send } from '../support/handlers/api-calls.ts';
import { ann, bob } from '../support/handlers/callers.ts';
import { interceptHttp } from '../support/table/http-hooks.ts';
import '../support/setup/use-table.ts';

/**
 * The client's connections. The time that a call waits for a connection counts against its timeout.
 */
const connections = 50;

test('Listing a hundred new messages marks all of them as read, with at most as many concurrent calls as connections', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  for (let sent = 0; sent < 100; sent += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(ann, id, `${sent + n}`)));
  }
  let underWay = 0;
  let most = 0;
  const wire = interceptHttp(async (_, goOn) => {
    underWay += 1;
    most = Math.max(most, underWay);
    return goOn().finally(() => {
      underWay -= 1;
    });
  });
  const { data } = await list(bob, id, { limit: '100' });
  await wire.calm();
  expect(data.filter(({ read_at }) => read_at !== null)).toHaveLength(100);
  expect(most).toBe(connections);
});
