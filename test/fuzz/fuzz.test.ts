import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import fc, { seed } from '../support/setup/fast-check.ts';
import { selectSize, thoroughTest } from '../support/setup/sample-size.ts';
import { findAllConfidentialChanges, findModelDifferences } from './checks/check-final-state.ts';
import { findGroupFaults } from './checks/check-groups.ts';
import { coverMissing } from './checks/cover-missing.ts';
import { createTally, findMissing } from './checks/coverage-tally.ts';
import { sendBatch } from './checks/send-batch.ts';
import { requests, tooLargeRequests } from './requests/requests.ts';
import { type Fixture, startFixture } from './run/fixture.ts';

const rows: readonly Operation[] = operations;

/** Number of concurrent requests, enough to keep two cores busy. */
const atOnce = 24;
const shrinkMilliseconds = 60_000;
/** Number of requests. Set FUZZ_REQUESTS=100000 for a long run. */
const numRequests = Number(process.env.FUZZ_REQUESTS ?? selectSize(240, 10_000));
const milliseconds = 120_000 + numRequests * 40;

describe(`${numRequests} hostile, nearly valid and valid requests`, () => {
  const tally = createTally();
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(() => fixture?.stop());

  test(
    'get only replies that the contract allows, and change only permitted resources',
    async () => {
      let enough = Number.POSITIVE_INFINITY;
      let n = 0;
      const property = fc.asyncProperty(
        // Null stands for no request, so that a failing batch shrinks to the request that fails.
        fc.array(fc.option(requests, { freq: 50 }), { minLength: atOnce, maxLength: atOnce }),
        async (drawn) => {
          const templates = drawn.filter((template) => template !== null);
          if (Date.now() > enough) return;
          n += 1;
          try {
            await sendBatch(templates, fixture, tally, n);
          } catch (error) {
            enough = Math.min(enough, Date.now() + shrinkMilliseconds);
            throw error;
          }
        },
      );
      const result = await fc.check(property, {
        numRuns: Math.ceil(numRequests / atOnce),
        examples: [[[...tooLargeRequests]]],
      });
      const again = `SEED=${seed} FUZZ_REQUESTS=${numRequests} npm test -- test/fuzz`;
      if (result.failed) {
        throw new Error(
          `Failed after ${result.numRuns * atOnce} requests; to repeat: ${again}\n\n${result.errorInstance}`,
        );
      }
    },
    milliseconds,
  );

  thoroughTest.each(rows)(
    'get every expected status of $id, after further requests if necessary',
    async (row) => {
      await coverMissing(row, fixture, tally);
      const missing = findMissing(row, tally);
      expect({ missing, statuses: tally.table() }).toMatchObject({ missing: [] });
    },
    milliseconds,
  );

  test('leave confidential resources of other people unchanged', async () => {
    expect(await findAllConfidentialChanges(fixture)).toEqual([]);
  });

  test(
    'leave exactly the resources and states that result from the accepted requests',
    async () => {
      expect(await findModelDifferences(fixture)).toEqual([]);
      expect(await findGroupFaults(fixture)).toEqual([]);
    },
    milliseconds,
  );
});
