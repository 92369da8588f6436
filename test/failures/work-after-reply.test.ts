import { expect, test } from '@jest/globals';
import { withDeadline } from '../../shared/deadline.ts';
import { getItem } from '../../shared/table/calls/access.ts';
import { contactKey } from '../../shared/table/keys/keys.ts';
import { interceptHttp } from '../support/table/http-hooks.ts';
import '../support/setup/use-table.ts';

test('After a request fails, its pending work makes no more table calls', async () => {
  const operations: string[] = [];
  const wire = interceptHttp(async ({ operation }, proceed) => {
    operations.push(operation);
    return proceed();
  });
  const replied = Promise.withResolvers<void>();
  let otherWork: Promise<unknown> | undefined;
  const request = withDeadline(10_000, async () => {
    otherWork = replied.promise.then(() => getItem(contactKey('ann')));
    otherWork.catch(() => {});
    throw new Error('failed');
  });
  await expect(request).rejects.toThrow('failed');
  replied.resolve();
  await expect(otherWork).rejects.toThrow();
  await wire.remove();
  expect(operations).toEqual([]);
});
