import { beforeAll, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { clock } from '../../../shared/clock.ts';
import { type Example, examples, listing } from '../../../shared/contract/examples.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { random } from '../../../shared/ids.ts';
import { Query } from '../../support/fault-replay/example-calls.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { person } from '../../support/people/callers.ts';
import { seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

const Texts = v.optional(v.record(v.string(), v.pipe(v.unknown(), v.toString())), {});
const rows: readonly Operation[] = operations;

const { id: annsId, username, phone_number, avatar_url } = examples['messages/send'].reply.contact;
const people = { ann: person(annsId, { username, phone_number, avatar_url }), bob: person('bob') };

beforeAll(async () => {
  await seedBusinesses(listing);
});

const conversationId = examples['conversations/create'].reply.id;

test('The documentation’s examples return the documented responses if they run in order', async () => {
  const now = jest.spyOn(clock, 'now');
  let draws = 0;
  // Gives the first conversation the documented id, as in scenario-world.ts.
  jest.spyOn(random, 'bytes').mockImplementation((count) => {
    draws += 1;
    return Uint8Array.from(
      conversationId.slice(-count),
      (digit) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(digit) + draws - 1,
    );
  });
  let publishedAt = 0;
  for (const [id, example] of Object.entries<Example>(examples)) {
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

    expect({ id, status, body: withoutSignatures(body) }).toEqual({
      id,
      status: row.status,
      body: withoutSignatures(example.reply),
    });
  }
});

/** Removes the query strings of signed URLs, because the examples shorten them. */
const withoutSignatures = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body).replace(/(?<=amazonaws\.com\/[^"?]*)\?[^"]*/g, ''));

test('The example query for listing conversations contains only `limit` and `expand`', () => {
  expect(examples['conversations/list'].query).toEqual({ limit: 10, expand: ['last_message'] });
});
