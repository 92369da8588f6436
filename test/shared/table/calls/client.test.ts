import {
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../../shared/clock.ts';
import { withDeadline } from '../../../../shared/deadline.ts';
import { putNew, transact } from '../../../../shared/table/calls/access.ts';
import { interceptCalls } from '../../../support/table/call-hooks.ts';
import '../../../support/setup/use-table.ts';

const undo: (() => void)[] = [];
let pauses: jest.Spied<typeof clock.sleep>;
beforeEach(() => {
  pauses = jest.spyOn(clock, 'sleep').mockResolvedValue();
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  for (const one of undo.splice(0)) one();
  jest.restoreAllMocks();
});

const told = { $metadata: {}, message: 'The table’s words.' };
const conflict = new TransactionConflictException(told);
/** A transaction that is undone by what its parts met. */
const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    ...told,
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** So many calls end like that, each after a while; gives how many there were. */
function failing(
  error: Error,
  most = Infinity,
  meanwhile: () => Promise<unknown> = async () => undefined,
) {
  const calls = { made: 0 };
  undo.push(
    interceptCalls(async (_, goOn) => {
      calls.made += 1;
      await meanwhile();
      if (calls.made <= most) throw error;
      await goOn();
    }),
  );
  return calls;
}

describe('A write that meets another of the same item', () => {
  test('comes again up to four times, after pauses that grow and that chance spreads', async () => {
    const calls = failing(conflict, 4);
    expect(await putNew({ pk: 'met', sk: '0' })).toEqual({ done: true, item: undefined });
    expect(calls.made).toBe(5);
    expect(pauses.mock.calls).toEqual([[20], [30], [40], [50]]);
  });

  test('gives up when it has met them five times', async () => {
    const calls = failing(conflict);
    const writing = putNew({ pk: 'met', sk: '1' });
    await expect(writing).rejects.toMatchObject({ code: 'unavailable', cause: conflict });
    expect([calls.made, pauses.mock.calls.length]).toEqual([5, 4]);
  });

  test('does not come again when the time is over, and that is the cause', async () => {
    const later = () => new Promise((resolve) => setTimeout(resolve, 60));
    const calls = failing(conflict, Infinity, later);
    const writing = withDeadline(20, () => putNew({ pk: 'met', sk: '2' }));
    await expect(writing).rejects.toMatchObject({
      code: 'unavailable',
      cause: new Error('The deadline has passed.'),
    });
    expect([calls.made, pauses.mock.calls.length]).toEqual([1, 0]);
  });
});

describe('A transaction', () => {
  test.each([
    ['meets another write', ['TransactionConflict']],
    ['is throttled in a part', ['None', 'ThrottlingError']],
    [
      'is throttled in a part, and meets another write',
      ['ProvisionedThroughputExceeded', 'TransactionConflict'],
    ],
  ])('that %s comes again by itself', async (_, codes) => {
    const calls = failing(cancelled(...codes), 1);
    expect(await transact([{ put: { pk: 'met', sk: codes.join() } }])).toMatchObject({
      done: true,
    });
    expect(calls.made).toBe(2);
  });

  test.each([
    ['met something else than it expects', ['ConditionalCheckFailed']],
    ['met that and another write', ['TransactionConflict', 'ConditionalCheckFailed']],
    ['was not understood', ['ValidationError', 'TransactionConflict']],
  ])('that %s is made once', async (_, codes) => {
    const calls = failing(cancelled(...codes));
    await transact([{ put: { pk: 'met', sk: 'once' } }]).catch(() => undefined);
    expect(calls.made).toBe(1);
  });
});
