import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { listBusinesses } from '../../../shared/contract/operations.ts';
import { resetUsage, usage } from '../../../shared/log/usage.ts';
import { createRequestLimit } from '../../../shared/table/request-counts.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { ann, bob } from '../../support/people/callers.ts';
import { fakeTimeouts } from '../../support/setup/fake-timeouts.ts';
import { interceptCalls } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

const limit = 50;
const minute = 60_000;
/** Makes ids unique per test, because all tests run in the same minute. */
let tests = 0;
const id = (name: string) => `${name}-${tests}`;

let time: ReturnType<typeof createVirtualClock>;

beforeEach(() => {
  fakeTimeouts();
  tests += 1;
  time = createVirtualClock();
  time.pass(minute - (time.now() % minute));
});
afterEach(() => {
  delete process.env.REQUESTS_PER_MINUTE_PER_PERSON;
});

/** Sends the requests to the environments in turn. */
async function countAdmitted(
  environments: ReturnType<typeof createRequestLimit>[],
  contactId: string,
  requests: number,
) {
  let admitted = 0;
  for (let n = 0; n < requests; n++) {
    const environment = environments[n % environments.length];
    await environment?.(contactId, limit).then(
      () => admitted++,
      (error) => expect(error).toMatchObject({ code: 'too_many_requests' }),
    );
  }
  return admitted;
}

describe("A person's requests in a minute", () => {
  test('are limited in one environment', async () => {
    expect(await countAdmitted([createRequestLimit()], id('x'), 200)).toBe(limit);
  });

  test('are limited across environments, but each environment may admit up to ten requests above the limit', async () => {
    const environments = Array.from({ length: 4 }, createRequestLimit);
    const admitted = await countAdmitted(environments, id('x'), 1000);
    expect(admitted).toBeGreaterThanOrEqual(limit);
    expect(admitted).toBeLessThanOrEqual(limit + 4 * 10);
  });

  test('do not reduce other people’s limits', async () => {
    const environments = [createRequestLimit(), createRequestLimit()];
    await countAdmitted(environments, id('x'), 500);
    expect(await countAdmitted(environments, id('y'), 40)).toBe(40);
  });

  test('no longer count in the next minute', async () => {
    const environments = [createRequestLimit()];
    const contactId = id('x');
    await countAdmitted(environments, contactId, 100);
    time.pass(minute - 1);
    expect(await countAdmitted(environments, contactId, 1)).toBe(0);
    time.pass(1);
    expect(await countAdmitted(environments, contactId, 1)).toBe(1);
  });

  test('cost one write unit for every ten requests, and nothing once requests are refused', async () => {
    resetUsage();
    const environments = [createRequestLimit()];
    const contactId = id('x');
    await countAdmitted(environments, contactId, 9);
    expect(usage.table_calls).toBe(0);
    await countAdmitted(environments, contactId, 300);
    expect(usage).toEqual({ table_calls: limit / 10, read_units: 0, write_units: limit / 10 });
  });

  test('are admitted if the table call fails', async () => {
    interceptCalls(async () => {
      throw new Error('The table is broken.');
    });
    const admitted = await countAdmitted([createRequestLimit()], id('x'), 30);
    expect(admitted).toBe(30);
  });
});

describe('An operation', () => {
  const list = async (as: typeof ann) => (await request(listBusinesses, { as })).status;

  test('returns 429 to a person above the stage’s limit, and serves other people', async () => {
    process.env.REQUESTS_PER_MINUTE_PER_PERSON = '10';
    for (let n = 0; n < 10; n++) expect(await list(ann)).toBe(200);
    expect(await list(ann)).toBe(429);
    expect(await list(bob)).toBe(200);
  });

  test('admits all requests in a stage without a limit', async () => {
    for (let n = 0; n < 30; n++) expect(await list(ann)).toBe(200);
  });
});
