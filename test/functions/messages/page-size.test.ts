import { beforeAll, describe, expect, test } from '@jest/globals';
import { listBusinesses, listMessages } from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import { create, list, send } from '../../support/handlers/api-calls.ts';
import { ok, request } from '../../support/handlers/invoke-handler.ts';
import { ann, bob, person } from '../../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import { seedMessages } from '../../support/seeds/seed-messages.ts';
import '../../support/setup/use-table.ts';
import { thoroughDescribe } from '../../support/setup/sample-size.ts';

const largestText = '😀'.repeat(10_000);
const largestAttachments = Array.from({ length: 10 }, () => ({ name: 'n'.repeat(4085) }));

/** A text whose characters take four bytes each in Lambda's response. */
const escaped = '"'.repeat(35_000);

async function conversationOf(count: number, text: string, contact_id = bob.id) {
  const { id } = await create(ann, { contact_id });
  await seedMessages(id, 'ann', count, (sequence) => sequence, text);
  return id;
}

/**
 * Maximum read units of a page at 4 KB per unit (strongly consistent): a full response, one
 * megabyte that the last call may read beyond it, and a margin of 100 units.
 */
const maxUnits = 6_200_000 / 4096 + 100;

/** Reads all pages, and checks that none costs more than `maxCost` read units. */
async function walk(query: Record<string, string>, maxCost = maxUnits, as = bob) {
  const pages: { ids: string[]; more: boolean; bytes: number }[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const { status, body } = await request(listMessages, {
      as,
      query: { ...query, limit: '100', ...(cursor && { starting_after: cursor }) },
    });
    expect(status).toBe(200);
    expect(usage.read_units).toBeLessThanOrEqual(maxCost);
    const page = body as Awaited<ReturnType<typeof list>>;
    cursor = page.data.at(-1)?.id;
    more = page.has_more;
    const bytes = Buffer.byteLength(JSON.stringify(body));
    pages.push({ ids: page.data.map(({ id }) => id), more, bytes });
  }
  return pages;
}

describe('A page of a hundred items that would exceed the maximum response size', () => {
  test.each([
    ['large', 'x'.repeat(80_000)],
    ['large when escaped', escaped],
  ])(
    'has as many messages as fit, and the following pages contain the rest: messages that are %s',
    async (_, text) => {
      const id = await conversationOf(80, text);
      const pages = await walk({ conversation_id: id });
      expect(pages.length).toBeGreaterThan(1);
      for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(5_100_000);
      const seen = pages.flatMap(({ ids }) => ids);
      expect(new Set(seen).size).toBe(80);
      expect(seen).toEqual(seen.toSorted().reverse());
    },
  );

  test('has as many messages as fit if it lists messages across conversations', async () => {
    for (let n = 0; n < 2; n++) await conversationOf(50, 'x'.repeat(80_000), 'carl');
    // The service reads two logs, each up to the number of messages that the page may need.
    const pages = await walk({}, 2 * maxUnits, person('carl'));
    for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(5_100_000);
    expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(100);
  });

  test('has as many business listings as fit, and the following pages contain the rest', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `b${10 + n}`);
    await seedBusinesses(
      ...ids.map((id) => createBusinessRecord(id, { description: 'x'.repeat(300_000) })),
    );
    const pages: string[][] = [];
    for (let more = true; more; ) {
      const cursor = pages.at(-1)?.at(-1);
      const query = { limit: '100', ...(cursor && { starting_after: cursor }) };
      const page = await ok(listBusinesses, { as: ann, query });
      pages.push(page.data.map((one) => ('public_id' in one ? one.public_id : '')));
      more = page.has_more;
    }
    expect(pages).toEqual([ids.slice(0, 16), ids.slice(16)]);
  });
});

thoroughDescribe('A reader with a hundred unread messages of the maximum size', () => {
  let id: string;
  let start: string;
  beforeAll(async () => {
    ({ id } = await create(ann, { contact_id: 'bob' }));
    start = (await send(ann, id, 'start')).id;
    for (let n = 0; n < 100; n++)
      await send(ann, id, largestText, { attachments: largestAttachments });
  });

  test('receives them in polls: each poll marks only the returned messages as read and costs at most 1,010 write units', async () => {
    const seen: string[] = [];
    for (let newest = start, more = true; more; ) {
      const page = await list(bob, id, { ending_before: newest, limit: '100' });
      expect(usage.write_units).toBeLessThanOrEqual(1000 + 10);
      more = page.has_more;
      newest = page.data[0]?.id ?? newest;
      expect(page.data.every(({ read_at }) => read_at !== null)).toBe(true);
      seen.push(...page.data.map((one) => one.id).reverse());

      const all = await allAsAnn();
      const unread = all.filter(({ read_at }) => read_at === null).map((one) => one.id);
      expect(unread.toSorted()).toEqual(
        all
          .map((one) => one.id)
          .filter((one) => !seen.includes(one) && one !== start)
          .concat(start)
          .toSorted(),
      );
    }
    expect(seen).toHaveLength(100);
  });

  async function allAsAnn() {
    const all: { id: string; read_at: number | null }[] = [];
    for (let more = true; more; ) {
      const cursor = all.at(-1)?.id;
      const page = await list(ann, id, { limit: '100', ...(cursor && { starting_after: cursor }) });
      all.push(...page.data);
      more = page.has_more;
    }
    return all;
  }
});
