import { expect, jest, test } from '@jest/globals';
import { clock } from '../../shared/clock.ts';
import fc from '../support/setup/fast-check.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import { emptyTable } from '../support/table/empty-table.ts';
import { beginnings, commands } from './commands.ts';
import { createModel } from './service-model.ts';
import '../support/setup/use-table.ts';

/** Commands that create enough data for several pages and for filters to match. */
const opening = fc.array(fc.oneof(...beginnings), { maxLength: 25, size: 'max' });
const scenario = fc.commands(commands, { maxCommands: 40, size: 'max' });

/**
 * Number of scenarios. For a long run: `MODEL_RUNS=1000 npm test -- test/model`. A failure prints
 * the shrunk scenario and its seed.
 */
const numRuns = Number(process.env.MODEL_RUNS ?? selectSize(10, 60));

test(
  "the service's replies to random requests from three people match the model",
  async () => {
    await fc.assert(
      fc.asyncProperty(opening, scenario, async (first, rest) => {
        await emptyTable();
        const model = createModel();
        jest.spyOn(clock, 'now').mockImplementation(() => model.now);
        await fc.asyncModelRun(() => ({ model, real: undefined }), [...first, ...rest]);
      }),
      { numRuns, endOnFailure: false },
    );
    expect.hasAssertions();
  },
  30 * 60_000,
);
