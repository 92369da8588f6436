import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Budget, budgets, purgeBudget } from '../../commands/cost/budgets.ts';
import { unitsToRead } from '../../commands/cost/request.ts';
import type { Caller } from '../../shared/caller.ts';
import { listBusinesses, sendMessage } from '../../shared/contract/operations.ts';
import { random } from '../../shared/ids.ts';
import { resetUsage, usage } from '../../shared/log/usage.ts';
import { costOf, measured } from '../commands/cost/measured.ts';
import { aBusiness, haveBusinesses } from '../support/businesses.ts';
import { ok } from '../support/handlers.ts';
import { ann, bob, person } from '../support/people.ts';
import { purge } from '../support/purge.ts';
import { seedMessages } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import {
  create,
  edit,
  list,
  look,
  react,
  remove,
  removeConversation,
  retrieve,
  send,
} from '../support/steps.ts';
import { virtualClock } from '../support/virtual-clock.ts';
import '../support/table.ts';

const sends = budgets['messages/send'];
const lists = budgets['messages/list'];
const creates = budgets['conversations/create'];

describe.each(sized([10], [10, 10_000]))(
  'What an operation costs, in a conversation of %i messages',
  (count) => {
    let direct: string;
    let group: string;
    let oldest: string;
    const member = person('mia', { groups: ['team'] });
    const named = { group_id: 'team', contact_id: 'bob' };
    const sendOnce = (as: Caller, conversation_id: string) => {
      const headers = { 'Idempotency-Key': randomUUID() };
      return ok(sendMessage, { as, headers, body: { conversation_id, message: 'Hello' } });
    };

    beforeAll(async () => {
      direct = (await create(ann, { contact_id: 'bob' })).id;
      group = (await create(member, { group_id: 'team' })).id;
      await seedMessages(direct, 'ann', count);
      await seedMessages(group, 'ann', 10);
      oldest = (await list(bob, direct)).data.at(-1)?.id ?? '';
    });

    test.each<[string, () => Promise<unknown>, Budget]>([
      ['create a direct conversation', () => create(ann, { contact_id: 'bob' }), creates.direct],
      ['create a group conversation', () => create(member, { group_id: 'team' }), creates.group],
      ['create one that names a contact', () => create(member, named), creates.named],
      ['retrieve a conversation', () => look(bob, direct), budgets['conversations/retrieve'].known],
      ['send', () => send(ann, direct, 'Hello'), sends.direct],
      ['send to a group', () => send(member, group, 'Hello'), sends.group],
      ['peek at ten', () => list(bob, direct, { peek: 'true' }), lists.nothingNew],
      ['list ten, one of them new', () => list(bob, direct), lists.oneNew],
      ['list ten', () => list(bob, direct), lists.nothingNew],
      ['list what is newer', () => list(bob, direct, { ending_before: oldest }), lists.nothingNew],
      ['retrieve a message', () => retrieve(bob, oldest), budgets['messages/retrieve'].known],
      ['send with a key', () => sendOnce(ann, direct), sends.directOnce],
      ['send with a key to a group', () => sendOnce(member, group), sends.groupOnce],
    ])('%s', async (_, act, budget) => {
      expect(await costOf(act())).toEqual(measured(budget));
    });

    test('change, react to and delete a message', async () => {
      const { id } = await send(ann, direct, 'Mine');
      await send(bob, direct, 'Yours');
      const { plain } = budgets['messages/update'];
      expect(await costOf(edit(ann, id, { message: 'Changed' }))).toEqual(measured(plain));
      expect(await costOf(react(bob, id, { ok: ['bob'] }))).toEqual(measured(plain));
      jest.spyOn(random, 'oneIn').mockReturnValue(false);
      expect(await costOf(remove(ann, id))).toEqual(measured(budgets['messages/delete'].plain));
      jest.restoreAllMocks();
    });

    test('delete a message, and look around, as one of sixteen does', async () => {
      const { id } = await send(ann, direct, 'Mine');
      await send(bob, direct, 'Yours');
      jest.spyOn(random, 'oneIn').mockReturnValue(true);
      const { calls, reads, writes } = budgets['messages/delete'].plain;
      expect(await costOf(remove(ann, id))).toEqual({ calls: calls + 2, reads: reads + 2, writes });
      jest.restoreAllMocks();
    });
  },
);

test('What the one conversation with a contact costs: to be made, to be found, to be noted as it', async () => {
  const { distinctMade, distinctFound, distinctNoted } = creates;
  const ask = (as: Caller, contact_id: string) =>
    costOf(create(as, { contact_id, distinct: true }));
  const [one, two] = [person('one'), person('two')];
  const old = await create(one, { contact_id: 'two' });
  await create(two, { contact_id: 'carl' });
  for (const as of [one, two]) await list(as, old.id);
  expect({
    distinctNoted: await ask(one, 'two'),
    distinctFound: await ask(two, 'one'),
    distinctMade: await ask(one, 'carl'),
  }).toEqual({
    distinctNoted: measured(distinctNoted),
    distinctFound: measured(distinctFound),
    distinctMade: measured(distinctMade),
  });
});

test('What listing ten businesses costs, of a kilobyte each', async () => {
  const description = 'word '.repeat(180);
  const ids = Array.from({ length: 30 }, (_, n) => `b${n}`);
  await haveBusinesses(...ids.map((id) => aBusiness(id, { description })));
  const query = { starting_after: 'b' };
  expect(await costOf(ok(listBusinesses, { as: ann, query }))).toEqual(
    measured(budgets['business/list'].ofAKilobyte),
  );
});

describe('What the purge of a deleted conversation costs', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('is a write unit a message, and the tombstone; reads are 4 KB each', async () => {
    virtualClock();
    const { id } = await create(ann, { contact_id: 'bob' });
    await seedMessages(id, 'ann', 50);
    await removeConversation(ann, id);
    resetUsage();
    await purge([id]);
    const { writes, reads, writesPerMessage } = purgeBudget;
    expect(usage.write_units).toBe(writes + 50 * writesPerMessage);
    expect(usage.read_units).toBeLessThanOrEqual(reads + unitsToRead(50));
  });
});
