import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../../shared/clock.ts';
import { withDeadline } from '../../../../shared/deadline.ts';
import { putNew, transact } from '../../../../shared/table/calls/access.ts';
import { interceptCalls } from '../../../support/table/call-hooks.ts';
import { createCancellation, createTableError } from '../../../support/table/table-error.ts';
import '../../../support/setup/use-table.ts';

let pauses: jest.Spied<typeof clock.sleep>;
beforeEach(() => {
  pauses = jest.spyOn(clock, 'sleep').mockResolvedValue();
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});

const conflict = createTableError('TransactionConflictException');

/** Makes the first `maxFailures` calls fail. Every call first runs `onCall`. */
function failing(
  error: Error,
  maxFailures = Infinity,
  onCall: () => Promise<unknown> = async () => undefined,
) {
  const calls = { count: 0 };
  interceptCalls(async (_, proceed) => {
    calls.count += 1;
    await onCall();
    if (calls.count <= maxFailures) throw error;
    await proceed();
  });
  return calls;
}

describe('A write that conflicts with another write of the same item', () => {
  test('is retried up to four times, with growing pauses and jitter', async () => {
    const calls = failing(conflict, 4);
    expect(await putNew({ pk: 'met', sk: '0' })).toEqual({ done: true, item: undefined });
    expect(calls.count).toBe(5);
    expect(pauses.mock.calls).toEqual([[20], [30], [40], [50]]);
  });

  test('throws unavailable after five conflicts', async () => {
    const calls = failing(conflict);
    const writing = putNew({ pk: 'met', sk: '1' });
    await expect(writing).rejects.toMatchObject({ code: 'unavailable', cause: conflict });
    expect([calls.count, pauses.mock.calls.length]).toEqual([5, 4]);
  });

  test('is not retried after the deadline, and throws unavailable with the deadline error as the cause', async () => {
    const later = () => new Promise((resolve) => setTimeout(resolve, 60));
    const calls = failing(conflict, Infinity, later);
    const writing = withDeadline(20, () => putNew({ pk: 'met', sk: '2' }));
    await expect(writing).rejects.toMatchObject({
      code: 'unavailable',
      cause: new Error('The deadline has passed.'),
    });
    expect([calls.count, pauses.mock.calls.length]).toEqual([1, 0]);
  });
});

describe('A transaction', () => {
  test.each([
    ['conflicts with another write', ['TransactionConflict']],
    ['is throttled for one item', ['None', 'ThrottlingError']],
    [
      'is throttled for one item and conflicts with another write',
      ['ProvisionedThroughputExceeded', 'TransactionConflict'],
    ],
  ])('that %s is retried', async (_, codes) => {
    const calls = failing(createCancellation(...codes), 1);
    expect(await transact([{ put: { pk: 'met', sk: codes.join() } }])).toMatchObject({
      done: true,
    });
    expect(calls.count).toBe(2);
  });

  test.each([
    ['fails a condition', ['ConditionalCheckFailed']],
    [
      'fails a condition and conflicts with another write',
      ['TransactionConflict', 'ConditionalCheckFailed'],
    ],
    ['is invalid', ['ValidationError', 'TransactionConflict']],
  ])('that %s is not retried', async (_, codes) => {
    const calls = failing(createCancellation(...codes));
    await transact([{ put: { pk: 'met', sk: 'once' } }]).catch(() => undefined);
    expect(calls.count).toBe(1);
  });
});
