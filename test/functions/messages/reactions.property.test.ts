import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { person } from '../../support/people.ts';
import { create, react, retrieve, send } from '../../support/steps.ts';
import '../../support/table.ts';

const groups = ['team'];
const people = ['ann', 'bob', 'carl', 'dora'].map((id) => person(id, { groups }));

const name = fc.constantFrom('ok', '🎉', 'toString');
/** What one person does, one after the other: each step sets or takes back some reactions. */
const steps = fc.array(fc.dictionary(name, fc.boolean(), { minKeys: 1 }), {
  minLength: 1,
  maxLength: 4,
});

test('people who react at the same time, on the same names, lose nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 4 }), async (plans) => {
      const [first = person('ann')] = people;
      const { id } = await create(first, { group_id: 'team' });
      const message = await send(first, id, 'React!');
      await Promise.all(
        people.map(async (who, n) => {
          for (const step of plans[n] ?? []) {
            const wanted = Object.entries(step).map(([one, on]) => [one, on ? [who.id] : []]);
            await react(who, message.id, Object.fromEntries(wanted));
          }
        }),
      );

      const expected = new Map<string, string[]>();
      for (const [n, who] of people.entries()) {
        for (const [one, on] of Object.entries(Object.assign({}, ...(plans[n] ?? [])))) {
          if (on) expected.set(one, [...(expected.get(one) ?? []), who.id]);
        }
      }
      const names = [...expected.keys()].sort();
      expect((await retrieve(first, message.id)).reactions).toEqual(
        names.map((one) => ({ [one]: expected.get(one) })),
      );
    }),
    { numRuns: 40 },
  );
});
