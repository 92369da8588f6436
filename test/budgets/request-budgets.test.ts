import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Budget, budgets, purgeBudget } from '../../commands/cost/budgets.ts';
import { toReadUnits } from '../../commands/cost/request-quantities.ts';
import type { Caller } from '../../shared/caller.ts';
import { listBusinesses, retrieveBusiness, sendMessage } from '../../shared/contract/operations.ts';
import { random } from '../../shared/ids.ts';
import { resetUsage, usage } from '../../shared/log/usage.ts';
import { measureCost, toMeasuredBudget } from '../commands/cost/measure-budget.ts';
import {
  block,
  create,
  edit,
  getBlocks,
  getConversation,
  getMessage,
  list,
  react,
  removeConversation,
  removeMessage,
  report,
  send,
  unblock,
} from '../support/handlers/api-calls.ts';
import { ok, refused } from '../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../support/handlers/virtual-clock.ts';
import { ann, bob, person } from '../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../support/seeds/seed-businesses.ts';
import { seedMessages } from '../support/seeds/seed-messages.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import { runPurgeWorker } from '../support/workers/purge-worker.ts';
import '../support/setup/use-table.ts';

const sends = budgets['messages/send'];
const lists = budgets['messages/list'];
const creates = budgets['conversations/create'];

describe.each(selectSize([10], [10, 10_000]))(
  'In a conversation with %i messages, each operation has the budgeted cost:',
  (count) => {
    let direct: string;
    let group: string;
    let oldest: string;
    /** Another direct conversation, for tests that change or delete messages. */
    let changing: string;
    const member = person('mia', { groups: ['team'] });
    const named = { group_id: 'team', contact_id: 'bob' };
    const sendOnce = (as: Caller, conversation_id: string) => {
      const headers = { 'Idempotency-Key': randomUUID() };
      return ok(sendMessage, { as, headers, body: { conversation_id, message: 'Hello' } });
    };

    beforeAll(async () => {
      direct = (await create(ann, { contact_id: 'bob' })).id;
      group = (await create(member, { group_id: 'team' })).id;
      changing = (await create(ann, { contact_id: 'bob' })).id;
      for (const id of [direct, changing]) {
        await seedMessages(id, 'ann', count);
        for (const as of [ann, bob]) await send(as, id, 'Hello');
      }
      await seedMessages(group, 'ann', 10);
      oldest = (await list(bob, direct)).data.at(-1)?.id ?? '';
    });

    beforeEach(async () => {
      await list(bob, direct);
    });

    test.each<[string, () => Promise<unknown>, Budget]>([
      ['create a direct conversation', () => create(ann, { contact_id: 'bob' }), creates.direct],
      ['create a group conversation', () => create(member, { group_id: 'team' }), creates.group],
      ['create a group conversation with a contact', () => create(member, named), creates.named],
      [
        'retrieve a conversation',
        () => getConversation(bob, direct),
        budgets['conversations/retrieve'].known,
      ],
      ['send', () => send(ann, direct, 'Hello'), sends.direct],
      ['send to a group', () => send(member, group, 'Hello'), sends.group],
      ['peek at ten messages', () => list(bob, direct, { peek: 'true' }), lists.nothingNew],
      ['list newer messages', () => list(bob, direct, { ending_before: oldest }), lists.nothingNew],
      ['retrieve a message', () => getMessage(bob, oldest), budgets['messages/retrieve'].known],
      ['send with an Idempotency-Key', () => sendOnce(ann, direct), sends.directOnce],
      ['send to a group with an Idempotency-Key', () => sendOnce(member, group), sends.groupOnce],
    ])('%s', async (_, action, budget) => {
      expect(await measureCost(action())).toEqual(toMeasuredBudget(budget));
    });

    test('list ten messages, first with one unread message, then with none', async () => {
      await send(ann, direct, 'Hello');
      expect(await measureCost(list(bob, direct))).toEqual(toMeasuredBudget(lists.oneNew));
      expect(await measureCost(list(bob, direct))).toEqual(toMeasuredBudget(lists.nothingNew));
    });

    test('update, react to and delete a message', async () => {
      const { id } = await send(ann, changing, 'Mine');
      await send(bob, changing, 'Yours');
      const { plain } = budgets['messages/update'];
      expect(await measureCost(edit(ann, id, { message: 'Changed' }))).toEqual(
        toMeasuredBudget(plain),
      );
      expect(await measureCost(react(bob, id, { ok: ['bob'] }))).toEqual(toMeasuredBudget(plain));
      jest.spyOn(random, 'oneIn').mockReturnValue(false);
      expect(await measureCost(removeMessage(ann, id))).toEqual(
        toMeasuredBudget(budgets['messages/delete'].plain),
      );
      jest.restoreAllMocks();
    });

    test('delete a message and scan its neighbors, as one in sixteen deletions does', async () => {
      const { id } = await send(ann, changing, 'Mine');
      await send(bob, changing, 'Yours');
      jest.spyOn(random, 'oneIn').mockReturnValue(true);
      const { calls, reads, writes } = budgets['messages/delete'].plain;
      expect(await measureCost(removeMessage(ann, id))).toEqual({
        calls: calls + 2,
        reads: reads + 2,
        writes,
      });
      jest.restoreAllMocks();
    });
  },
);

test('After the active_until of a group conversation, a send to it costs one more call and one more write unit; an environment that has not sent to it makes another call', async () => {
  const virtual = createVirtualClock();
  const member = person('max', { groups: ['pausing'] });
  const { id } = await create(member, { group_id: 'pausing' });
  // After a pause, the first send also writes the sender's contact. The second send is measured.
  const cost = async () => {
    await send(member, (await create(member, { contact_id: 'bob' })).id, 'Hi');
    return measureCost(send(member, id, 'Hello'));
  };
  virtual.pass(11 * 60_000);
  const { calls, reads, writes } = sends.groupAfterPauseElsewhere;
  expect(await cost()).toEqual({ calls, reads, writes });
  virtual.pass(9 * 60_000);
  expect(await cost()).toEqual(sends.group);
  virtual.pass(2 * 60_000);
  expect(await cost()).toEqual(sends.groupAfterPause);
  virtual.pass(11 * 60_000);
  const outsider = person('otto');
  await refused(sendMessage, { as: outsider, body: { conversation_id: id, message: 'Hi' } });
  expect(usage.write_units).toBe(0);
});

test('Creating a distinct conversation, finding one, and recording an existing conversation as distinct have the budgeted costs', async () => {
  const { distinctCreated, distinctFound, distinctRecorded } = creates;
  const measureCreate = (as: Caller, contact_id: string) =>
    measureCost(create(as, { contact_id, distinct: true }));
  const [one, two] = [person('one'), person('two')];
  const old = await create(one, { contact_id: 'two' });
  await create(two, { contact_id: 'carl' });
  for (const as of [one, two]) await list(as, old.id);
  expect({
    distinctRecorded: await measureCreate(one, 'two'),
    distinctFound: await measureCreate(two, 'one'),
    distinctCreated: await measureCreate(one, 'carl'),
  }).toEqual({
    distinctRecorded: toMeasuredBudget(distinctRecorded),
    distinctFound: toMeasuredBudget(distinctFound),
    distinctCreated: toMeasuredBudget(distinctCreated),
  });
});

test('Blocking a contact, unblocking a contact and listing ten blocked contacts have the budgeted costs', async () => {
  const ann = person('ann-blocks');
  await create(ann, { contact_id: 'stranger' });
  for (let n = 0; n < 10; n++) await block(ann, `blocked-${n}`);
  expect({
    block: await measureCost(block(ann, 'stranger')),
    list: await measureCost(getBlocks(ann)),
    unblock: await measureCost(unblock(ann, 'stranger')),
  }).toEqual({
    block: toMeasuredBudget(budgets['blocks/create'].oneConversation),
    list: toMeasuredBudget(budgets['blocks/list'].ten),
    unblock: toMeasuredBudget(budgets['blocks/delete'].oneConversation),
  });
});

test('Reporting a message for the first time or again has the budgeted cost', async () => {
  const [ann, bob] = [person('ann-reports'), person('bob-reports')];
  const { id } = await create(bob, { contact_id: ann.id });
  const { id: message_id } = await send(bob, id, 'Hello');
  await report(ann, { contact_id: ann.id, reason: 'other' });
  const measure = () => measureCost(report(ann, { message_id, reason: 'spam' }));
  expect({ message: await measure(), again: await measure() }).toEqual({
    message: toMeasuredBudget(budgets['reports/create'].message),
    again: toMeasuredBudget(budgets['reports/create'].again),
  });
});

test('Listing ten businesses of one kilobyte each has the budgeted cost', async () => {
  const description = 'word '.repeat(180);
  const ids = Array.from({ length: 30 }, (_, n) => `b${n}`);
  await seedBusinesses(...ids.map((id) => createBusinessRecord(id, { description })));
  const query = { starting_after: 'b' };
  expect(await measureCost(ok(listBusinesses, { as: ann, query }))).toEqual(
    toMeasuredBudget(budgets['business/list'].ofAKilobyte),
  );
});

test('Retrieving a business has the budgeted cost', async () => {
  await seedBusinesses(createBusinessRecord('kiosk'));
  const path = { public_id: 'kiosk' };
  expect(await measureCost(ok(retrieveBusiness, { as: ann, path }))).toEqual(
    toMeasuredBudget(budgets['business/retrieve'].known),
  );
});

describe('The cost of purging a deleted conversation', () => {
  test('is one write unit per message, two write units for the tombstone and its index entry, and at most the budgeted read units', async () => {
    createVirtualClock();
    const { id } = await create(ann, { contact_id: 'bob' });
    await seedMessages(id, 'ann', 50);
    await removeConversation(ann, id);
    resetUsage();
    await runPurgeWorker([id]);
    const { writes, reads, writesPerMessage } = purgeBudget;
    expect(usage.write_units).toBe(writes + 50 * writesPerMessage);
    expect(usage.read_units).toBeLessThanOrEqual(reads + toReadUnits(50));
  });
});
