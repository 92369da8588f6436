import type { Operation } from '../../../shared/contract/operation.ts';
import fc, { seed } from '../../support/setup/fast-check.ts';
import { requestsTo } from '../requests/requests.ts';
import type { Fixture } from '../run/fixture.ts';
import { findMissing, type Tally } from './coverage-tally.ts';
import { sendBatch } from './send-batch.ts';

const batchSize = 24;
/**
 * After this many batches, the probability of still missing a status that one in 500 requests
 * returns is below 10^-8.
 */
const maxBatches = 400;

/** Sends up to `maxBatches` batches until the operation has returned each expected status. */
export async function coverMissing(row: Operation, fixture: Fixture, tally: Tally): Promise<void> {
  for (let n = 1; n <= maxBatches && findMissing(row, tally).length > 0; n++) {
    const drawn = fc.sample(requestsTo(row), { numRuns: batchSize, seed: seed + n });
    await sendBatch(drawn, fixture, tally, n);
  }
}
