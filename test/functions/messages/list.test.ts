import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { clock } from '../../../shared/clock.ts';
import { listMessages } from '../../../shared/contract/operations.ts';
import {
  create,
  getConversation,
  getMessage,
  list,
  send,
} from '../../support/handlers/api-calls.ts';
import { invalidError } from '../../support/handlers/expected-errors.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { ann, bob } from '../../support/people/callers.ts';
import { interceptCalls } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

async function conversationOf(count: number) {
  const { id } = await create(ann, { contact_id: 'bob' });
  const ids: string[] = [];
  for (let n = 1; n <= count; n++) ids.push((await send(ann, id, String(n))).id);
  return { id, ids };
}

const texts = (page: { data: { message: string }[] }) => page.data.map(({ message }) => message);

describe('Listing the messages of a conversation', () => {
  let id: string;
  let ids: string[];
  beforeAll(async () => {
    ({ id, ids } = await conversationOf(12));
  });
  const idOf = (n: number) => ids[n - 1] ?? '';

  test('returns the ten newest messages, newest first, and sets has_more', async () => {
    const page = await list(bob, id);
    expect({ ...page, data: texts(page) }).toEqual({
      has_more: true,
      data: ['12', '11', '10', '9', '8', '7', '6', '5', '4', '3'],
    });
  });

  test.each<[string, number | undefined, ...string[][]]>([
    ['next', undefined, ['12', '11', '10', '9', '8'], ['7', '6', '5', '4', '3'], ['2', '1']],
    ['prev', 1, ['6', '5', '4', '3', '2'], ['11', '10', '9', '8', '7'], ['12']],
  ])('returns links that reach the end of the list: %s', async (rel, before, ...pages) => {
    let query: Record<string, string> | undefined = {
      conversation_id: id,
      limit: '5',
      ...(before && { ending_before: idOf(before) }),
    };
    const seen: string[][] = [];
    while (query) {
      const { body, headers } = await request(listMessages, { as: bob, query });
      seen.push(texts(v.parse(listMessages.reply, body)));
      const address = new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.Link ?? '')?.[1];
      query = address ? Object.fromEntries(new URL(address).searchParams) : undefined;
    }
    expect(seen).toEqual(pages);
  });

  test('links to the next and previous pages, and keeps the rest of the query', async () => {
    const { headers } = await request(listMessages, {
      as: bob,
      query: { conversation_id: id, limit: '2', starting_after: idOf(9) },
    });
    const page = `https://api.example.com/v1/messages?conversation_id=${id}&limit=2`;
    expect(headers.Link).toBe(
      `<${page}&starting_after=${idOf(7)}>; rel="next", <${page}&ending_before=${idOf(8)}>; rel="prev"`,
    );
  });

  test('returns an empty list without links for an empty conversation', async () => {
    const { id: empty } = await create(ann, { contact_id: 'bob' });
    const { body, headers } = await request(listMessages, {
      as: ann,
      query: { conversation_id: empty },
    });
    expect({ body, link: headers.Link }).toEqual({
      body: { has_more: false, data: [] },
      link: undefined,
    });
  });

  test.each([
    ['a limit of 0', { limit: '0' }, 'limit', 'must be an integer from 1 to 100'],
    ['a limit of 101', { limit: '101' }, 'limit', 'must be an integer from 1 to 100'],
    ['a fractional limit', { limit: '1.5' }, 'limit', 'must be an integer from 1 to 100'],
    ['a limit in words', { limit: 'ten' }, 'limit', 'must be an integer from 1 to 100'],
    ['an empty limit', { limit: '' }, 'limit', 'must be an integer from 1 to 100'],
    ['two limits', { limit: ['1', '2'] }, 'limit', 'must be an integer from 1 to 100'],
    [
      'a cursor that is not an id',
      { starting_after: 'x' },
      'starting_after',
      'must be the id of a message of this conversation',
    ],
    ['an empty cursor', { ending_before: '' }, 'ending_before', 'must be an id'],
    [
      'a cursor of another conversation',
      { ending_before: '0'.repeat(44) },
      'ending_before',
      'must be the id of a message of this conversation',
    ],
    [
      'both cursors',
      { starting_after: 'x', ending_before: 'y' },
      'ending_before',
      'must not be combined with starting_after',
    ],
  ])('with %s is rejected', async (_, query, param, rule) => {
    const call = { as: bob, query: { conversation_id: id, ...query } };
    expect(await refused(listMessages, call)).toEqual(invalidError(param, rule));
  });

  test('with peek returns links that include peek', async () => {
    const { id } = await conversationOf(3);
    const query = { conversation_id: id, peek: 'true', limit: '2' };
    const { headers } = await request(listMessages, { as: bob, query });
    expect(headers.Link).toContain('&peek=true&');
  });
});

describe('Read marks', () => {
  test('are stored when the other participant first lists a message, and do not change later', async () => {
    const { id } = await conversationOf(1);
    expect((await list(ann, id)).data[0]?.read_at).toBeNull();

    const [first] = (await list(bob, id)).data;
    expect(first?.read_at).toEqual(expect.any(Number));

    jest.spyOn(clock, 'now').mockReturnValue(clock.now() + 5000);
    expect((await list(bob, id)).data).toEqual([first]);
    expect((await list(ann, id)).data[0]?.read_at).toBe(first?.read_at);
  });

  test('of a hundred messages are stored by one list request', async () => {
    const { id } = await conversationOf(100);
    await list(bob, id, { limit: '100' });
    const { data } = await list(ann, id, { limit: '100' });
    expect(data.filter(({ read_at }) => read_at !== null)).toHaveLength(100);
  });

  test('are not stored by a list request with peek, which also leaves the opening time unchanged', async () => {
    const { id, ids } = await conversationOf(3);
    const peeked = await list(bob, id, { peek: 'true', limit: '2' });
    expect({ more: peeked.has_more, ids: peeked.data.map((one) => one.id) }).toEqual({
      more: true,
      ids: [ids[2], ids[1]],
    });
    expect((await list(ann, id)).data.map(({ read_at }) => read_at)).toEqual([null, null, null]);
    expect((await getConversation(bob, id)).last_opened_at).toBeNull();
    const read = await list(bob, id);
    expect(await list(bob, id, { peek: 'true' })).toEqual(read);
  });

  test('are not stored by a list request across conversations, with or without peek', async () => {
    const { id } = await conversationOf(1);
    const query = { limit: '1' };
    const listed = await request(listMessages, { as: bob, query });
    const peeked = await request(listMessages, { as: bob, query: { ...query, peek: 'true' } });
    expect(peeked.body).toEqual(listed.body);
    expect((await list(ann, id)).data[0]?.read_at).toBeNull();
  });

  test('are stored when the other participant retrieves a message', async () => {
    const { ids } = await conversationOf(2);
    expect((await getMessage(ann, ids[0] ?? '')).read_at).toBeNull();
    expect((await getMessage(bob, ids[0] ?? '')).read_at).toEqual(expect.any(Number));
    expect((await getMessage(ann, ids[0] ?? '')).read_at).toEqual(expect.any(Number));
    expect((await getMessage(ann, ids[1] ?? '')).read_at).toBeNull();
  });

  test('are stored only for the messages on the page', async () => {
    const { id } = await conversationOf(3);
    await list(bob, id, { limit: '1' });
    expect((await list(ann, id)).data.map(({ read_at }) => read_at === null)).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('are not stored for a message to oneself', async () => {
    const { id } = await create(ann, { contact_id: 'ann' });
    await send(ann, id, 'note');
    await list(ann, id);
    expect((await list(ann, id)).data[0]?.read_at).toBeNull();
  });
});

describe('The opening time', () => {
  test('is updated by each list with new messages, and at most once a minute by other lists', async () => {
    const { id } = await conversationOf(1);
    const start = clock.now();
    const openedAt = async (seconds: number) => {
      jest.spyOn(clock, 'now').mockReturnValue(start + seconds * 1000);
      await list(bob, id);
      return (await getConversation(bob, id)).last_opened_at;
    };
    const first = await openedAt(0);
    expect(await openedAt(30)).toBe(first);
    await send(ann, id, 'news');
    expect(await openedAt(40)).toBe(Math.floor(start / 1000 + 40));
    expect(await openedAt(99)).toBe(Math.floor(start / 1000 + 40));
    expect(await openedAt(100)).toBe(Math.floor(start / 1000 + 100));
    expect((await getConversation(ann, id)).last_opened_at).toBeNull();
  });

  test('does not decrease if an earlier list request is recorded after a later one', async () => {
    const { id } = await conversationOf(1);
    const start = clock.now();
    const at = (seconds: number) =>
      jest.spyOn(clock, 'now').mockReturnValue(start + seconds * 1000);
    at(0);
    const undo = interceptCalls(async ({ input }, proceed) => {
      if (JSON.stringify(input).includes('SET last_opened_at')) {
        undo();
        at(5);
        await send(bob, id, 'mine');
        await list(bob, id);
        at(0);
      }
      await proceed();
    });
    await list(bob, id);
    const { last_active_at, last_opened_at } = await getConversation(bob, id);
    expect([last_active_at, last_opened_at]).toEqual(Array(2).fill(Math.floor(start / 1000 + 5)));
  });
});
