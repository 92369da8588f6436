import { beforeEach, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Caller } from '../../../shared/caller.ts';
import { createConversation } from '../../../shared/contract/operations.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import { findDirectConversationIds } from '../../../shared/table/conversations/query/find-by-contact.ts';
import { distinctKey } from '../../../shared/table/keys/keys.ts';
import { removeConversation } from '../../support/handlers/api-calls.ts';
import { type Reply, request } from '../../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { person } from '../../support/people/callers.ts';
import fc from '../../support/setup/fast-check.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { crashAtCall } from '../../support/table/call-hooks.ts';
import { getSortKeys, runPurgeWorker } from '../../support/workers/purge-worker.ts';
import '../../support/setup/use-table.ts';

beforeEach(() => {
  createVirtualClock();
});

const side = fc.constantFrom(0, 1);
const distinctRequest = fc.record({
  kind: fc.constant('request' as const),
  by: side,
  key: fc.option(fc.nat(2)),
});
const step = fc.oneof(
  { weight: 3, arbitrary: distinctRequest },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('create' as const), by: side }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), by: side }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const steps: fc.Arbitrary<Step[]> = fc.oneof(
  fc.array(distinctRequest, { minLength: 3, maxLength: 8 }),
  fc.array(step, { minLength: 1, maxLength: 8 }),
);
const round = fc.record({
  steps,
  crash: fc.option(
    fc.record({
      at: fc.integer({ min: 1, max: 20 }),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
    { freq: 2 },
  ),
});

const Created = v.object({ id: v.string() });
const idOf = ({ body }: Reply) => v.parse(Created, body).id;
const isGood = ({ status }: Reply) => status === 200 || status === 201;

let pairs = 0;

function newPair() {
  pairs += 1;
  const people: [Caller, Caller] = [person(`a-${pairs}`), person(`b-${pairs}`)];
  const deleted = new Set<string>();
  const bodyOf = (by: number, distinct: boolean) => ({ contact_id: people[1 - by]?.id, distinct });
  const as = (by: number) => people[by] ?? people[0];
  const requestDistinct = (by: number, headers: Record<string, string> = {}) =>
    request(createConversation, { as: as(by), headers, body: bodyOf(by, true) });
  const listIds = () => findDirectConversationIds(people[0].id, people[1].id, { limit: 100 });
  const act = async (round: number, one: Step): Promise<Reply | undefined> => {
    if (one.kind === 'request') {
      return requestDistinct(
        one.by,
        one.key === null ? {} : { 'Idempotency-Key': `${round}-${one.key}` },
      );
    }
    if (one.kind === 'create') {
      await request(createConversation, { as: as(one.by), body: bodyOf(one.by, false) });
      return undefined;
    }
    const [id] = await listIds();
    if (id === undefined) return undefined;
    deleted.add(id);
    await removeConversation(as(one.by), id).catch(() => {});
    return undefined;
  };
  return { people, requestDistinct, act, listIds, deleted };
}

test('Concurrent requests for the distinct conversation return the same conversation, even if functions crash', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 4 }), async (rounds) => {
      const { people, requestDistinct, act, listIds, deleted } = newPair();
      let distinctId: string | undefined;
      for (const [n, { steps, crash }] of rounds.entries()) {
        const before = new Set(await listIds());
        const undo = crash ? crashAtCall(crash.at, crash.when) : () => {};
        const replies = await Promise.all(steps.map((one) => act(n, one).catch(() => undefined)));
        undo();
        const succeeded = replies.filter((reply) => reply !== undefined).filter(isGood);
        const hasOnlyRequests = steps.every(({ kind }) => kind === 'request');
        const currentIds = [
          idOf(await requestDistinct(0)),
          idOf(await requestDistinct(1)),
          idOf(await requestDistinct(0)),
        ];
        expect(new Set(currentIds).size).toBe(1);
        // The distinct conversation remains the same until it is deleted.
        if (distinctId !== undefined && !deleted.has(distinctId))
          expect(currentIds[0]).toBe(distinctId);
        distinctId = currentIds[0];
        if (!hasOnlyRequests) continue;
        // Nothing else created or deleted conversations, so all requests returned the same
        // conversation, and at most one was created.
        expect(new Set([...succeeded.map(idOf), ...currentIds]).size).toBe(1);
        const created = (await listIds()).filter((id) => !before.has(id));
        expect(created.length).toBeLessThanOrEqual(before.size > 0 ? 0 : 1);
        const first = succeeded.filter(
          ({ status, headers }) => status === 201 && !headers['Idempotent-Replayed'],
        );
        expect(first.length).toBeLessThanOrEqual(created.length);
      }

      const ids = await listIds();
      for (const id of ids) await removeConversation(people[0], id);
      await runPurgeWorker([...new Set([...ids, ...deleted])]);
      for (const id of [...ids, ...deleted]) expect(await getSortKeys(id)).toEqual([]);
      expect(await getItem(distinctKey(people[0].id, people[1].id))).toBeUndefined();
    }),
    { numRuns: selectSize(5, 30) },
  );
});
