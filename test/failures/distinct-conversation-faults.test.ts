import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import type { Caller } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import { retryAfterSeconds } from '../../shared/contract/errors.ts';
import { createConversation } from '../../shared/contract/operations.ts';
import { findDirectConversationIds } from '../../shared/table/conversations/query/find-by-contact.ts';
import { create, removeConversation } from '../support/handlers/api-calls.ts';
import { type Reply, request } from '../support/handlers/invoke-handler.ts';
import { person } from '../support/people/callers.ts';
import { takeSample } from '../support/setup/sample-size.ts';
import { type FaultInjection, injectFault, listFaults } from '../support/table/http-faults.ts';
import { recordHttpCalls } from '../support/table/http-hooks.ts';
import '../support/setup/use-table.ts';

beforeEach(() => {
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
});

let pairs = 0;
function newPair(): [Caller, Caller] {
  pairs += 1;
  return [person(`a-${pairs}`), person(`b-${pairs}`)];
}

const createDistinct = (as: Caller, other: Caller, headers: Record<string, string> = {}) =>
  request(createConversation, { as, headers, body: { contact_id: other.id, distinct: true } });
const Created = v.object({ id: v.string() });
const idOf = ({ body }: Reply) => (v.is(Created, body) ? body.id : undefined);

/** The conversation between the two contacts before the request, and the expected status. */
const situations: [string, number, (one: Caller, other: Caller) => Promise<unknown>][] = [
  ['no conversation', 201, async () => {}],
  [
    'a conversation created without `distinct`',
    200,
    (one, other) => create(one, { contact_id: other.id }),
  ],
  ['a distinct conversation', 200, (one, other) => createDistinct(one, other)],
  [
    'a deleted distinct conversation',
    201,
    async (one, other) => removeConversation(one, idOf(await createDistinct(one, other)) ?? ''),
  ],
];

const RetryableReply = v.object({
  headers: v.object({ 'Retry-After': v.string() }),
  body: v.object({ code: v.picklist(Object.keys(retryAfterSeconds)) }),
});

describe.each(situations)('With %s', (_, expectedStatus, begin) => {
  /** Returns a description of the violated invariant, or an empty string. */
  async function problemOf(
    fault: FaultInjection,
    headers: Record<string, string>,
  ): Promise<string> {
    const [one, other] = newPair();
    await begin(one, other);
    const interception = injectFault(fault);
    const reply = await createDistinct(one, other, headers);
    await interception.remove();
    const isExpected = reply.status === expectedStatus;
    if (!isExpected && !(fault.isLasting && v.is(RetryableReply, reply)))
      return `returns ${reply.status} ${JSON.stringify(reply.body)}`;
    const repeated = await createDistinct(one, other, headers);
    const reverse = await createDistinct(other, one);
    const ids = new Set([idOf(reply) ?? idOf(repeated), idOf(repeated), idOf(reverse)]);
    if (ids.size > 1) return `on a retry, returns ${ids.size} conversations: ${[...ids]}`;
    const all = await findDirectConversationIds(one.id, other.id, { limit: 10 });
    return all.length === 1 ? '' : `leaves ${all.length} conversations`;
  }

  test.each([
    ['without a key', {}],
    ['with an Idempotency-Key', { 'Idempotency-Key': 'k' }],
  ])(
    'if a table call fails, a request %s succeeds or returns a retryable error, and both contacts then get the same conversation',
    async (_title, headers) => {
      const [one, other] = newPair();
      await begin(one, other);
      const calls = await recordHttpCalls(() => createDistinct(one, other, headers));
      const problems: string[] = [];
      for (const fault of takeSample(listFaults(calls), 12)) {
        const problem = await problemOf(fault, headers);
        if (problem) problems.push(`${fault.title}: ${problem}`);
      }
      expect(problems).toEqual([]);
    },
    120_000,
  );
});
