import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import fc, { seed } from '../support/setup/fast-check.ts';
import { sized, thoroughTest } from '../support/setup/sample-size.ts';
import { findAllConfidentialChanges, findModelDifferences } from './checks/check-final-state.ts';
import { createTally, expectedStatuses, hasIdParameters } from './checks/coverage-tally.ts';
import { sendBatch } from './checks/send-batch.ts';
import { requests } from './requests/requests.ts';
import { type Fixture, startFixture } from './run/fixture.ts';

const rows: readonly Operation[] = operations;

/** Requests at the same time: enough to keep two cores busy. */
const atOnce = 24;
/** How long a failure may be made smaller. */
const shrinkMilliseconds = 60_000;
/** `FUZZ_REQUESTS=100000 npm test -- test/fuzz` for a long run. */
const numRequests = Number(process.env.FUZZ_REQUESTS ?? sized(240, 10_000));
const milliseconds = 120_000 + numRequests * 40;

describe(`${numRequests} requests that nobody would send, or nearly good ones, or good ones`, () => {
  const answers = createTally();
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(() => fixture?.stop());

  test(
    'get no reply that the contract does not promise, and change nothing that they must not',
    async () => {
      let enough = Number.POSITIVE_INFINITY;
      let n = 0;
      const property = fc.asyncProperty(
        // Null is nothing to send: so a failing sendBatch shrinks to the request that fails.
        fc.array(fc.option(requests, { freq: 50 }), { minLength: atOnce, maxLength: atOnce }),
        async (drawn) => {
          const some = drawn.filter((template) => template !== null);
          if (Date.now() > enough) return;
          n += 1;
          try {
            await sendBatch(some, fixture, answers, n);
          } catch (error) {
            enough = Math.min(enough, Date.now() + shrinkMilliseconds);
            throw error;
          }
        },
      );
      const result = await fc.check(property, {
        numRuns: Math.ceil(numRequests / atOnce),
      });
      const again = `SEED=${seed} FUZZ_REQUESTS=${numRequests} npm test -- test/fuzz`;
      if (result.failed) {
        throw new Error(
          `After ${result.numRuns * atOnce} requests of ${again}\n\n${result.errorInstance}`,
        );
      }
    },
    milliseconds,
  );

  test('leave what other people have as it was, to the letter', async () => {
    expect(await findAllConfidentialChanges(fixture)).toEqual([]);
  });

  test(
    'leave behind what was accepted, as it was accepted, and nothing else',
    async () => {
      expect(await findModelDifferences(fixture)).toEqual([]);
    },
    milliseconds,
  );

  thoroughTest.each(rows.filter(hasIdParameters))(
    'have tried to get at what is secret by $id',
    (row) => {
      expect(answers.wasAttempted(row)).toBe(true);
    },
  );

  thoroughTest.each(rows)('$id has given every kind of answer that it can', (row) => {
    const missing = expectedStatuses(row).filter((status) => answers.of(row.id, status) === 0);
    expect({ missing, answers: answers.table() }).toMatchObject({ missing: [] });
  });
});
