import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { listMessages } from '../../../shared/contract/operations.ts';
import { create, getMessage, send } from '../../support/handlers/api-calls.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { hideConversation, listAcross } from '../../support/handlers/list-across.ts';
import { person } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

const start = clock.now();
/** Sets the clock to `second` seconds after the start. */
const at = (second: number) => jest.spyOn(clock, 'now').mockReturnValue(start + second * 1000);
const texts = (page: { data: { message: string }[] }) => page.data.map(({ message }) => message);

describe('Listing the messages of all conversations', () => {
  const ann = person('ann', { groups: ['team', 'left'] });
  const bob = person('bob');
  const carl = person('carl', { groups: ['team', 'left', 'other'] });
  const annToday = person('ann', { groups: ['team'] });
  const ids = new Map<string, string>();
  const idOf = (text: string) => ids.get(text) ?? '';

  beforeAll(async () => {
    at(0);
    const conversations = {
      'with bob': (await create(ann, { contact_id: 'bob' })).id,
      'by bob': (await create(bob, { contact_id: 'ann' })).id,
      'of the team': (await create(carl, { group_id: 'team' })).id,
      'of a team of others, with ann': (
        await create(carl, { group_id: 'other', contact_id: 'ann' })
      ).id,
      'of the team, with ann too': (await create(carl, { group_id: 'team', contact_id: 'ann' })).id,
      'with oneself': (await create(ann, { contact_id: 'ann' })).id,
      left: (await create(carl, { group_id: 'left' })).id,
      'of others': (await create(carl, { contact_id: 'bob' })).id,
      deleted: (await create(bob, { contact_id: 'ann' })).id,
      empty: (await create(bob, { contact_id: 'ann' })).id,
    };
    const sent = [
      [bob, 'with bob', '1'],
      [carl, 'of the team', '2'],
      [carl, 'of others', 'secret'],
      [bob, 'by bob', '3'],
      [ann, 'by bob', '4'],
      [ann, 'left', 'foreign by now'],
      [carl, 'of a team of others, with ann', '5'],
      [bob, 'deleted', 'gone'],
      [carl, 'of the team, with ann too', '6'],
      [ann, 'with oneself', '7'],
      [bob, 'with bob', '8'],
      [carl, 'left', 'foreign too'],
      [carl, 'of the team', '9'],
      [carl, 'of others', 'secret too'],
      [bob, 'deleted', 'gone too'],
    ] as const;
    for (const [n, [sender, conversationName, text]] of sent.entries()) {
      at(n + 1);
      ids.set(text, (await send(sender, conversations[conversationName], text)).id);
    }
    await hideConversation(conversations.deleted);
    jest.restoreAllMocks();
  });

  const all = ['9', '8', '7', '6', '5', '4', '3', '2', '1'];

  test('returns messages of the conversations in which the caller currently participates, newest first', async () => {
    const page = await listAcross(annToday);
    expect({ ...page, data: texts(page) }).toEqual({ has_more: false, data: all });
  });

  test('returns the same representation of a message as retrieving it', async () => {
    const page = await listAcross(annToday, { limit: '1' });
    expect(page.data).toEqual([await getMessage(carl, idOf('9'))]);
  });

  test('returns only messages that the caller may read', async () => {
    expect(texts(await listAcross(person('carl')))).toEqual(['secret too', 'secret']);
    expect(texts(await listAcross(person('dora', { groups: ['left'] })))).toEqual([
      'foreign too',
      'foreign by now',
    ]);
    expect(await listAcross(person('dora'))).toEqual({ has_more: false, data: [] });
  });

  test.each([
    ['of an inaccessible message', 'secret', ['2', '1']],
    ['of a message in a group that the caller has left', 'foreign by now', ['4', '3', '2', '1']],
    ['of a message in a deleted conversation', 'gone', ['5', '4', '3', '2', '1']],
  ])('accepts the id %s as a cursor, without returning that message', async (_, text, older) => {
    const after = await listAcross(annToday, { starting_after: idOf(text) });
    expect(texts(after)).toEqual(older);
    const before = await listAcross(annToday, { ending_before: idOf(text) });
    expect(texts(before)).toEqual(all.slice(0, all.length - older.length));
  });

  test('accepts the id of a message in a nonexistent conversation as a cursor', async () => {
    const nonexistent = '0'.repeat(26) + idOf('5').slice(26);
    expect(texts(await listAcross(annToday, { starting_after: nonexistent }))).toEqual(
      all.slice(all.indexOf('5') + 1),
    );
  });

  test('accepts a cursor with any text after a tilde', async () => {
    const page = await listAcross(annToday, { starting_after: `${idOf('2')}~17` });
    expect(texts(page)).toEqual(['1']);
  });

  test('links to the next and previous pages', async () => {
    const { headers } = await request(listMessages, {
      as: annToday,
      query: { limit: '2', starting_after: idOf('8') },
    });
    const page = 'https://api.example.com/v1/messages?limit=2';
    expect(headers.Link).toBe(
      `<${page}&starting_after=${idOf('6')}>; rel="next", <${page}&ending_before=${idOf('7')}>; rel="prev"`,
    );
  });

  test.each([
    ['that is not an id', 'x'],
    ['that is the id of a conversation', '0'.repeat(26)],
    ['with a lowercase letter', '0'.repeat(43).concat('a')],
  ])('rejects a cursor %s', async (_, cursor) => {
    for (const param of ['starting_after', 'ending_before']) {
      expect(await refused(listMessages, { as: annToday, query: { [param]: cursor } })).toEqual({
        status: 400,
        type: 'invalid_request',
        code: 'parameter_invalid',
        param,
        message: `'${param}' must be the id of a message.`,
      });
    }
  });

  test('accepts a well-formed cursor that is not the id of a message, and lists each message either before or after it', async () => {
    const [conversation, maxSequence] = [idOf('8').slice(0, 26), 'Z'.repeat(8)];
    const times = ['1', '8'].map((text) => idOf(text).slice(34));
    const ends = [...times.map((time) => maxSequence + time), '0'.repeat(18), 'Z'.repeat(18)];
    for (const end of ends) {
      const cursor = conversation + end;
      const older = texts(await listAcross(annToday, { starting_after: cursor }));
      const newer = texts(await listAcross(annToday, { ending_before: cursor }));
      expect([...newer, ...older].toSorted().reverse()).toEqual(all);
    }
  });
});
