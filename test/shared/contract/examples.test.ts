import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { clock } from '../../../shared/clock.ts';
import { type Example, examples, listing } from '../../../shared/contract/examples.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { random } from '../../../shared/ids.ts';
import { Query } from '../../support/fault-replay/example-calls.ts';
import { person } from '../../support/handlers/callers.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { publishAll } from '../../support/handlers/live-worker.ts';
import { seedBusinesses } from '../../support/table/seed-businesses.ts';
import '../../support/setup/use-table.ts';

const Texts = v.optional(v.record(v.string(), v.pipe(v.unknown(), v.toString())), {});
const rows: readonly Operation[] = operations;

const { id: annsId, username, phone_number, avatar_url } = examples['messages/send'].reply.contact;
const people = { ann: person(annsId, { username, phone_number, avatar_url }), bob: person('bob') };

beforeAll(async () => {
  await seedBusinesses(listing);
});

const conversationId = examples['conversations/create'].reply.id;
const now = jest.spyOn(clock, 'now');
const drawn = jest
  .spyOn(random, 'bytes')
  .mockImplementation((count) =>
    Uint8Array.from(conversationId.slice(-count), (digit) =>
      '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(digit),
    ),
  );
afterAll(() => {
  now.mockRestore();
  drawn.mockRestore();
});

describe('The examples of the documentation, done in their order', () => {
  let publishedAt = 0;

  test.each(Object.entries<Example>(examples))('give the reply of %s', async (id, example) => {
    const row = rows.find((one) => one.id === id);
    if (!row) throw new Error(`There is no operation '${id}'.`);
    now.mockReturnValue(example.at * 1000);
    await publishAll(publishedAt);
    publishedAt = example.at;

    const { status, body } = await request(row, {
      as: people[example.as],
      path: v.parse(Texts, example.path),
      query: v.parse(Query, example.query),
      body: example.body,
    });

    expect({ status, body }).toEqual({ status: row.status, body: example.reply });
  });
});

test('What the reference fills in to list conversations hides nothing from whoever tries it', () => {
  expect(examples['conversations/list'].query).toEqual({ limit: 10, expand: ['last_message'] });
});
