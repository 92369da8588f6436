import { expect, test } from '@jest/globals';
import { updateMessage } from '../../../shared/contract/operations.ts';
import { messageLimits } from '../../../shared/contract/schema/message-limits.ts';
import { create, getMessage, react, send } from '../../support/handlers/api-calls.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { person } from '../../support/people/callers.ts';
import fc from '../../support/setup/fast-check.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { interceptHttp } from '../../support/table/http-hooks.ts';
import { countStoredReactions, seedReactions } from '../../support/table/stored-reactions.ts';
import '../../support/setup/use-table.ts';

const groups = ['team'];
const people = ['ann', 'bob', 'carl', 'dora'].map((id) => person(id, { groups }));

const name = fc.constantFrom('ok', '🎉', 'toString');
/** The steps of one contact in order. Each step adds or removes some reactions. */
const steps = fc.array(fc.dictionary(name, fc.boolean(), { minKeys: 1 }), {
  minLength: 1,
  maxLength: 4,
});

test('All changes persist when several contacts change the same reactions concurrently', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 4 }), async (plans) => {
      const [first = person('ann')] = people;
      const { id } = await create(first, { group_id: 'team' });
      const message = await send(first, id, 'React!');
      await Promise.all(
        people.map(async (reactor, n) => {
          for (const step of plans[n] ?? []) {
            const reactions = Object.entries(step).map(([one, on]) => [
              one,
              on ? [reactor.id] : [],
            ]);
            await react(reactor, message.id, Object.fromEntries(reactions));
          }
        }),
      );

      const expected = new Map<string, string[]>();
      for (const [n, reactor] of people.entries()) {
        for (const [one, on] of Object.entries(Object.assign({}, ...(plans[n] ?? [])))) {
          if (on) expected.set(one, [...(expected.get(one) ?? []), reactor.id]);
        }
      }
      const names = [...expected.keys()].sort();
      expect((await getMessage(first, message.id)).reactions).toEqual(
        names.map((one) => ({ [one]: expected.get(one) })),
      );
    }),
    { numRuns: selectSize(10, 40) },
  );
});

/**
 * Number of reactions that the message can still accept, a repeating pattern of lost replies, and
 * the contacts' steps.
 */
const nearlyFull = fc.record({
  room: fc.nat(8),
  losses: fc
    .array(fc.boolean(), { minLength: 3, maxLength: 12 })
    .map((pattern) => [...pattern, false, false]),
  plans: fc.array(steps, { minLength: 4, maxLength: 4 }),
});

test('With concurrent reactions to a nearly full message, exactly the accepted reactions are stored and counted, even if table replies are lost', async () => {
  await fc.assert(
    fc.asyncProperty(nearlyFull, async ({ room, losses, plans }) => {
      const [first = person('ann')] = people;
      const { id } = await create(first, { group_id: 'team' });
      const message = await send(first, id, 'React!');
      const crowd = messageLimits.reactions - room;
      await seedReactions(message.id, 'crowd', crowd);
      let updates = 0;
      const wire = interceptHttp(async ({ operation }, proceed) => {
        const reply = await proceed();
        if (operation !== 'UpdateItem' || !losses[updates++ % losses.length]) return reply;
        throw Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' });
      });
      const accepted = await Promise.all(
        people.map(async (reactor, n) => {
          const own = new Map<string, boolean>();
          for (const step of plans[n] ?? []) {
            const reactions = Object.fromEntries(
              Object.entries(step).map(([one, on]) => [one, on ? [reactor.id] : []]),
            );
            const call = { as: reactor, path: { message_id: message.id }, body: { reactions } };
            let { status } = await request(updateMessage, call);
            // The outcome is unknown to the client, so it retries the same change.
            for (let n = 0; status === 503 && n < 9; n++) {
              ({ status } = await request(updateMessage, call));
            }
            expect([200, 422]).toContain(status);
            if (status === 200) for (const [one, on] of Object.entries(step)) own.set(one, on);
          }
          return [...own].flatMap(([one, on]) => (on ? [`${one} ${reactor.id}`] : []));
        }),
      ).finally(wire.remove);

      const { reactions } = await getMessage(first, message.id);
      const shown = reactions
        .flatMap((map) => Object.entries<string[]>(map))
        .flatMap(([one, reactors]) => reactors.map((id) => `${one} ${id}`));
      expect(shown.filter((pair) => !pair.startsWith('crowd')).sort()).toEqual(
        accepted.flat().sort(),
      );
      const count = await countStoredReactions(message.id);
      expect(count).toBe(crowd + accepted.flat().length);
      expect(count).toBeLessThanOrEqual(messageLimits.reactions);
    }),
    { numRuns: selectSize(6, 25) },
  );
});
