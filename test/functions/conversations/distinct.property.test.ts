import { beforeEach, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Caller } from '../../../shared/caller.ts';
import { createConversation } from '../../../shared/contract/operations.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import { findDirectConversationIds } from '../../../shared/table/conversations/query/find-by-contact.ts';
import { distinctKey } from '../../../shared/table/keys/keys.ts';
import { removeConversation } from '../../support/handlers/api-calls.ts';
import { person } from '../../support/handlers/callers.ts';
import { type Reply, request } from '../../support/handlers/invoke-handler.ts';
import { getSortKeys, runPurgeWorker } from '../../support/handlers/purge-worker.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import fc from '../../support/setup/fast-check.ts';
import { sized } from '../../support/setup/sample-size.ts';
import { crashAtCall } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

beforeEach(() => {
  createVirtualClock();
});

const side = fc.constantFrom(0, 1);
/** A request for the distinct conversation, with one of three idempotency keys or none. */
const asking = fc.record({
  kind: fc.constant('ask' as const),
  by: side,
  key: fc.option(fc.nat(2)),
});
const deed = fc.oneof(
  { weight: 3, arbitrary: asking },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('create' as const), by: side }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), by: side }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never;
const deeds: fc.Arbitrary<Deed[]> = fc.oneof(
  fc.array(asking, { minLength: 3, maxLength: 8 }),
  fc.array(deed, { minLength: 1, maxLength: 8 }),
);
const round = fc.record({
  deeds,
  death: fc.option(
    fc.record({
      at: fc.integer({ min: 1, max: 20 }),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
    { freq: 2 },
  ),
});

const Made = v.object({ id: v.string() });
const idOf = ({ body }: Reply) => v.parse(Made, body).id;
const isGood = ({ status }: Reply) => status === 200 || status === 201;

let pairs = 0;

/** Creates two contacts. Returns them and functions that act on their direct conversations. */
function newPair() {
  pairs += 1;
  const people: [Caller, Caller] = [person(`a-${pairs}`), person(`b-${pairs}`)];
  const deleted = new Set<string>();
  const bodyOf = (by: number, distinct: boolean) => ({ contact_id: people[1 - by]?.id, distinct });
  const as = (by: number) => people[by] ?? people[0];
  const ask = (by: number, headers: Record<string, string> = {}) =>
    request(createConversation, { as: as(by), headers, body: bodyOf(by, true) });
  const living = () => findDirectConversationIds(people[0].id, people[1].id, { limit: 100 });
  const act = async (round: number, one: Deed): Promise<Reply | undefined> => {
    if (one.kind === 'ask') {
      return ask(one.by, one.key === null ? {} : { 'Idempotency-Key': `${round}-${one.key}` });
    }
    if (one.kind === 'create') {
      await request(createConversation, { as: as(one.by), body: bodyOf(one.by, false) });
      return undefined;
    }
    const [id] = await living();
    if (id === undefined) return undefined;
    deleted.add(id);
    await removeConversation(as(one.by), id).catch(() => {});
    return undefined;
  };
  return { people, ask, act, living, deleted };
}

test('Concurrent requests for the distinct conversation return the same conversation, even if functions crash', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 4 }), async (rounds) => {
      const { people, ask, act, living, deleted } = newPair();
      let theOne: string | undefined;
      for (const [n, { deeds, death }] of rounds.entries()) {
        const before = new Set(await living());
        const undo = death ? crashAtCall(death.at, death.when) : () => {};
        const replies = await Promise.all(deeds.map((one) => act(n, one).catch(() => undefined)));
        undo();
        const answered = replies.filter((reply) => reply !== undefined).filter(isGood);
        const isQuiet = deeds.every(({ kind }) => kind === 'ask');
        const now = [idOf(await ask(0)), idOf(await ask(1)), idOf(await ask(0))];
        expect(new Set(now).size).toBe(1);
        // The distinct conversation remains the same until it is deleted.
        if (theOne !== undefined && !deleted.has(theOne)) expect(now[0]).toBe(theOne);
        theOne = now[0];
        if (!isQuiet) continue;
        // Without other creations or deletions, all requests returned the same conversation, and at
        // most one was created.
        expect(new Set([...answered.map(idOf), ...now]).size).toBe(1);
        const made = (await living()).filter((id) => !before.has(id));
        expect(made.length).toBeLessThanOrEqual(before.size > 0 ? 0 : 1);
        const first = answered.filter(
          ({ status, headers }) => status === 201 && !headers['Idempotent-Replayed'],
        );
        expect(first.length).toBeLessThanOrEqual(made.length);
      }

      const ids = await living();
      for (const id of ids) await removeConversation(people[0], id);
      await runPurgeWorker([...new Set([...ids, ...deleted])]);
      for (const id of [...ids, ...deleted]) expect(await getSortKeys(id)).toEqual([]);
      expect(await getItem(distinctKey(people[0].id, people[1].id))).toBeUndefined();
    }),
    { numRuns: sized(5, 30) },
  );
});
