import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { retrieveContact } from '../../../shared/contract/operations.ts';
import { create, edit, list, removeConversation, send } from '../../support/handlers/api-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { listEventsAfter } from '../../support/handlers/list-events.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { person } from '../../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import { takeSample } from '../../support/setup/sample-size.ts';
import { injectFault, listFaults } from '../../support/table/http-faults.ts';
import { recordHttpCalls } from '../../support/table/http-hooks.ts';
import {
  getLiveWorkerFilter,
  publishAll,
  readNewRecords,
  runLiveWorker,
} from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

const hour = 60 * 60 * 1000;
/** Returns the time `hours` after the start of a Monday (UTC), in Unix milliseconds. */
const monday = (hours: number) => Date.UTC(2027, 0, 4) + hours * hour;
const workday = [{ open: { hour: 9, minute: 0 }, close: { hour: 17, minute: 0 } }];
const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const noDay = {
  ...Object.fromEntries(workdays.map((day) => [day, null])),
  saturday: null,
  sunday: null,
};
const weekdays = { ...noDay, ...Object.fromEntries(workdays.map((day) => [day, workday])) };
const auto_reply = 'We are closed. We will answer when we open.';

let cases = 0;
let business_id: string;
let customer: Caller;
let staff: Caller;
let time: ReturnType<typeof createVirtualClock>;
const setTime = (at: number) => time.pass(at - time.now());

beforeEach(async () => {
  await publishAll();
  cases += 1;
  time = createVirtualClock();
  setTime(monday(-3));
  business_id = `shop-${cases}`;
  customer = person(`customer-${cases}`);
  staff = person(`staff-${cases}`, { groups: [`business:${business_id}`] });
  await importListing({});
});

const importListing = (details: object) =>
  seedBusinesses(
    createBusinessRecord(business_id, {
      title: 'Corner shop',
      image: 'https://shop.example/front.jpg',
      status: 'active',
      timezone: 'UTC',
      work_time: weekdays,
      auto_reply,
      ...details,
    }),
  );

const sendQuestion = async () => {
  const { id } = await create(customer, { business_id });
  await send(customer, id, 'Are you open?');
  return id;
};

/** Returns the texts of a conversation's messages, oldest first. */
const readTexts = async (id: string) =>
  (await list(customer, id)).data.map(({ message }) => message).toReversed();

const readSenders = async (id: string) =>
  (await list(customer, id)).data.map(({ contact }) => contact.id).toReversed();

const readLiveRecords = async () => (await readNewRecords()).filter(await getLiveWorkerFilter());

describe('A closed business with an automatic reply', () => {
  test('replies to a customer’s first message, as a contact with the business’s title and image', async () => {
    const id = await sendQuestion();
    await publishAll();
    const [reply] = (await list(customer, id)).data;
    expect(reply).toMatchObject({
      message: auto_reply,
      contact: {
        id: `business:${business_id}`,
        username: 'Corner shop',
        avatar_url: 'https://shop.example/front.jpg',
        phone_number: null,
      },
    });
    await publishAll();
    const { events } = await listEventsAfter(customer);
    const messages = events.filter(({ type }) => type === 'message.created');
    expect(messages).toHaveLength(2);
    expect(await readTexts(id)).toEqual(['Are you open?', auto_reply]);
  });

  test('replies once per closed period', async () => {
    const id = await sendQuestion();
    await publishAll();
    await send(customer, id, 'Hello?');
    await publishAll();
    setTime(monday(10));
    await send(customer, id, 'Now?');
    await publishAll();
    setTime(monday(18));
    await send(customer, id, 'Still there?');
    await send(customer, id, 'No?');
    await publishAll();
    expect(await readTexts(id)).toEqual([
      'Are you open?',
      auto_reply,
      'Hello?',
      'Now?',
      'Still there?',
      'No?',
      auto_reply,
    ]);
  });

  test('replies in each of a customer’s conversations', async () => {
    const ids = [await sendQuestion(), await sendQuestion()];
    await publishAll();
    for (const id of ids) expect(await readTexts(id)).toEqual(['Are you open?', auto_reply]);
  });

  test('does not reply if it opens before the worker runs', async () => {
    const id = await sendQuestion();
    setTime(monday(9));
    await publishAll();
    expect(await readTexts(id)).toEqual(['Are you open?']);
  });

  test('does not reply to its staff in conversations with customers or in internal conversations', async () => {
    setTime(monday(10));
    const id = await sendQuestion();
    await publishAll();
    setTime(monday(18));
    await send(staff, id, 'Good evening!');
    await publishAll();
    expect(await readSenders(id)).toEqual([customer.id, staff.id]);
    const group = { group_id: `business:${business_id}` };
    const { id: internal } = await create(staff, group);
    await send(staff, internal, 'A note among us');
    await publishAll();
    expect((await list(staff, internal)).data).toHaveLength(1);
  });

  test('does not reply to an edit of a message that was sent before the reply was configured', async () => {
    await importListing({ auto_reply: null });
    const id = await sendQuestion();
    await publishAll();
    await importListing({});
    time.pass(61_000);
    const [message] = (await list(customer, id)).data;
    await edit(customer, message?.id ?? '', { message: 'Are you open now?' });
    await publishAll();
    expect(await readTexts(id)).toEqual(['Are you open now?']);
  });

  test('does not make the live worker fail if the conversation was deleted', async () => {
    const id = await sendQuestion();
    const records = await readLiveRecords();
    await removeConversation(customer, id);
    expect(await runLiveWorker(records)).toEqual([]);
  });

  test('replies at most once in eight days if it never opens', async () => {
    await importListing({ work_time: noDay });
    const id = await sendQuestion();
    await publishAll();
    for (const days of [7, 2]) {
      time.pass(days * 24 * hour);
      await send(customer, id, `After ${days} days`);
      await publishAll();
    }
    expect(await readTexts(id)).toEqual([
      'Are you open?',
      auto_reply,
      'After 7 days',
      'After 2 days',
      auto_reply,
    ]);
  });

  test('has a contact that customers can retrieve but cannot start a direct conversation with', async () => {
    await sendQuestion();
    await publishAll();
    const contact_id = `business:${business_id}`;
    const contact = await ok(retrieveContact, { as: customer, path: { contact_id } });
    expect(contact).toMatchObject({ id: contact_id, username: 'Corner shop' });
    await expect(create(customer, { contact_id })).rejects.toThrow('contact_id');
  });
});

test.each([
  [
    'is open',
    {
      work_time: {
        ...noDay,
        sunday: [{ open: { hour: 0, minute: 0 }, close: { hour: 24, minute: 0 } }],
      },
    },
  ],
  ['has no opening hours', { work_time: null }],
  ['has no time zone', { timezone: null }],
  ['has no automatic reply', { auto_reply: null }],
])('A business that %s sends no automatic reply', async (_, details) => {
  await importListing(details);
  const id = await sendQuestion();
  await publishAll();
  expect(await readTexts(id)).toEqual(['Are you open?']);
});

describe('An automatic reply', () => {
  /** Returns the worker's table calls for one message. */
  const recordCalls = async () => {
    await sendQuestion();
    const records = await readLiveRecords();
    return recordHttpCalls(() => runLiveWorker(records));
  };

  test('is sent only once, even if worker invocations repeat or overlap', async () => {
    await recordCalls();
    const id = await sendQuestion();
    const records = await readLiveRecords();
    await Promise.all([runLiveWorker(records), runLiveWorker(records), runLiveWorker(records)]);
    await runLiveWorker(records);
    expect(await readTexts(id)).toEqual(['Are you open?', auto_reply]);
  });

  test('is sent once if the worker retries after a fault in any table call', async () => {
    const faults = listFaults(await recordCalls());
    expect(faults.length).toBeGreaterThan(50);
    for (const fault of takeSample(faults, 20)) {
      const id = await sendQuestion();
      const records = await readLiveRecords();
      const wire = injectFault(fault);
      const failed = await runLiveWorker(records);
      await wire.remove();
      if (failed.length > 0) await runLiveWorker(records);
      expect([fault.title, await readTexts(id)]).toEqual([
        fault.title,
        ['Are you open?', auto_reply],
      ]);
    }
  });
});
