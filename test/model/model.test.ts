import { afterEach, expect, jest, test } from '@jest/globals';
import { clock } from '../../shared/clock.ts';
import { emptyTable } from '../support/empty-table.ts';
import fc from '../support/fast-check.ts';
import { sized } from '../support/size.ts';
import { beginnings, commands } from './commands.ts';
import { newModel } from './model.ts';
import '../support/table.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Enough to begin with that lists have pages and filters have something to find. */
const opening = fc.array(fc.oneof(...beginnings), { maxLength: 25, size: 'max' });
const scenario = fc.commands(commands, { maxCommands: 40, size: 'max' });

/** `MODEL_RUNS=1000 npm test -- test/model` for a long run; a failing one prints its shrunk story and its seed. */
const numRuns = Number(process.env.MODEL_RUNS ?? sized(8, 60));

test(
  'whatever three people in two groups do, the service answers as the model says',
  async () => {
    await fc.assert(
      fc.asyncProperty(opening, scenario, async (first, then) => {
        await emptyTable();
        const model = newModel();
        jest.spyOn(clock, 'now').mockImplementation(() => model.now);
        await fc.asyncModelRun(() => ({ model, real: undefined }), [...first, ...then]);
      }),
      { numRuns, endOnFailure: false },
    );
    expect.hasAssertions();
  },
  30 * 60_000,
);
