import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { clock } from '../../shared/clock.ts';
import { listConversations, listMessages } from '../../shared/contract/operations.ts';
import { type MessagePosition, newConversationId, toMessageId } from '../../shared/ids.ts';
import { conversationKey, toActivitySortKey } from '../../shared/table/keys/keys.ts';
import { refused } from '../support/handlers/invoke-handler.ts';
import { person } from '../support/people/callers.ts';
import '../support/setup/use-table.ts';
import { thoroughTest } from '../support/setup/sample-size.ts';
import { interceptHttp, type TableHttpReply } from '../support/table/http-hooks.ts';

const now = clock.now();
const minute = 60_000;
const pageSize = 4000;

interface Entries {
  opened: number;
  count: number;
  /** Number of pages that all indexes together return. Default: unlimited. */
  pages?: number;
  /** If true, the reader has archived all conversations, so one gsi3 partition has all entries. */
  areArchived?: boolean;
}

/** Returns a simulated index page. Storing thousands of items would exceed the test's timeout. */
function pageOf(page: number, { opened, count, pages = Infinity }: Entries): string {
  const items = Array.from({ length: pageSize }, (_, n) => {
    const id = newConversationId(opened);
    const { pk, sk } = conversationKey(id);
    const key = toActivitySortKey(now - page * pageSize - n, id);
    return {
      ...{ pk: { S: pk }, sk: { S: sk }, id: { S: id } },
      ...{ activity: { S: key }, gsi3sk: { S: key } },
      ...{ created_at: { N: `${opened}` }, last_message_at: { N: `${now}` } },
      message_count: { N: `${count}` },
      ...{ created_by: { S: 'unknown' }, contact_id: { S: reader.id }, version: { N: '1' } },
    };
  });
  return JSON.stringify({ Items: items, ...(page < pages && { LastEvaluatedKey: items.at(-1) }) });
}

function archived(body: string): string {
  const { RequestItems } = v.parse(BatchGet, JSON.parse(body));
  const settings = { archived_at: { N: '5' }, version: { N: '1' } };
  const Responses = Object.fromEntries(
    Object.entries(RequestItems).map(([table, { Keys }]) => [
      table,
      Keys.map((key) => ({ ...key, ...settings })),
    ]),
  );
  return JSON.stringify({ Responses });
}
const IndexQuery = v.object({
  ExpressionAttributeValues: v.object({ ':partition': v.object({ S: v.string() }) }),
});
const BatchGet = v.object({
  RequestItems: v.record(v.string(), v.object({ Keys: v.array(v.looseObject({})) })),
});

const tooMany = {
  status: 400,
  type: 'invalid_request',
  code: 'too_many_conversations',
  param: null,
  message: expect.stringContaining('The request would have to read too many conversations'),
};

const reader = person('tessa');
const cursor: MessagePosition = {
  conversationId: newConversationId(now - 50 * minute),
  sequence: 3,
  sentAt: now - 40 * minute,
};

/**
 * Returns the response to a request and the number of its table calls. During the request, the
 * indexes return the entries, and the logs are empty.
 */
async function withConcurrentEntries(
  entries: Entries,
  sendRequest: () => Promise<unknown>,
): Promise<{ response: unknown; calls: number }> {
  let calls = 0;
  let page = 0;
  let flagged: string | undefined;
  const interception = interceptHttp(async ({ operation, body }): Promise<TableHttpReply> => {
    calls += 1;
    if (operation !== 'Query') {
      return { status: 200, body: entries.areArchived ? archived(body) : '{"Responses":{}}' };
    }
    if (!body.includes('IndexName')) return { status: 200, body: '{"Items":[]}' };
    if (entries.areArchived && body.includes('"gsi3"')) {
      const { ExpressionAttributeValues } = v.parse(IndexQuery, JSON.parse(body));
      const partition = ExpressionAttributeValues[':partition'].S;
      flagged ??= partition;
      if (partition !== flagged) return { status: 200, body: '{"Items":[]}' };
    }
    page += 1;
    return { status: 200, body: pageOf(page, entries) };
  });
  const response = await sendRequest().finally(() => interception.remove());
  return { response, calls };
}

test('Listing messages fails with too_many_conversations within 20 table calls if too many conversations are newer than the cursor', async () => {
  const since = { opened: now - 10 * minute, count: 1 };
  for (const parameter of ['starting_after', 'ending_before']) {
    const query = { [parameter]: toMessageId(cursor) };
    const { response, calls } = await withConcurrentEntries(since, () =>
      refused(listMessages, { as: reader, query }),
    );
    expect(response).toEqual(tooMany);
    expect(calls).toBeLessThanOrEqual(20);
  }
});

thoroughTest(
  'Listing messages fails with too_many_conversations if the search for the cursor’s position has to check too many conversations',
  async () => {
    const query = { starting_after: toMessageId(cursor) };
    // Seven pages contain more conversations than a request may check. Four pages together contain
    // fewer than this maximum, so the request fails only after it has checked all four.
    for (const [pages, maxCalls] of [
      [7, 20],
      [4, 2500],
    ] as const) {
      const before = { opened: now - 100 * minute, count: 1000, pages };
      const { response, calls } = await withConcurrentEntries(before, () =>
        refused(listMessages, { as: reader, query }),
      );
      expect(response).toEqual(tooMany);
      expect(calls).toBeLessThanOrEqual(maxCalls);
    }
  },
);

thoroughTest(
  'Listing messages fails with too_many_conversations if too many recent conversations have no messages',
  async () => {
    const { response } = await withConcurrentEntries({ opened: now, count: 1 }, () =>
      refused(listMessages, { as: reader }),
    );
    expect(response).toEqual(tooMany);
  },
);

test('Listing muted conversations fails with too_many_conversations within 300 table calls if too many of them no longer exist', async () => {
  const { response, calls } = await withConcurrentEntries({ opened: now, count: 1 }, () =>
    refused(listConversations, { as: reader, query: { muted: 'true' } }),
  );
  expect(response).toEqual(tooMany);
  expect(calls).toBeLessThanOrEqual(300);
});

thoroughTest.each<[string, Record<string, string>, Partial<Entries>]>([
  ['all are with other contacts', { contact_id: 'paul' }, {}],
  ['none is in the requested group', { group_id: 'other' }, {}],
  ['all are archived', { 'exclude[]': 'archived' }, { areArchived: true }],
])(
  'Listing conversations fails with too_many_conversations within 50 table calls if the filters exclude too many: %s',
  async (_, query, more) => {
    const { response, calls } = await withConcurrentEntries(
      { opened: now, count: 1, ...more },
      () => refused(listConversations, { as: reader, query }),
    );
    expect(response).toEqual(tooMany);
    expect(calls).toBeLessThanOrEqual(50);
  },
);
