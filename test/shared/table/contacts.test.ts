import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { clock, toSeconds } from '../../../shared/clock.ts';
import { resetUsage, usage } from '../../../shared/log/usage.ts';
import { getContact, getContacts, touchContact } from '../../../shared/table/contacts.ts';
import { person, unknownContact } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

const start = clock.now();
const at = (milliseconds: number) => jest.spyOn(clock, 'now').mockReturnValue(start + milliseconds);
beforeEach(() => {
  at(0);
});
/** Runs the action. Returns its cost in table calls, read units and write units. */
async function costOf(act: () => Promise<unknown>) {
  resetUsage();
  await act();
  return [usage.table_calls, usage.read_units, usage.write_units];
}
const noCost = [0, 0, 0];
const aWrite = [1, 0, 1];

const profile = { username: 'Uma', phone_number: '+1', avatar_url: 'https://a.example/1' };

describe('The caller’s contact', () => {
  test('has the profile from the token, and creation and last-activity timestamps', async () => {
    const uma = { ...person('uma'), ...profile };
    const now = toSeconds(start);
    const first = { id: 'uma', ...profile, created_at: now, last_active_at: now };
    expect(await touchContact(uma)).toEqual(first);
    at(60_000);
    expect(await touchContact(uma)).toEqual({ ...first, last_active_at: now + 60 });
  });

  test('is stored at most once a minute while the token is unchanged', async () => {
    const vera = { ...person('vera'), ...profile };
    expect(await costOf(() => touchContact(vera))).toEqual(aWrite);
    at(59_999);
    expect(await costOf(() => touchContact(vera))).toEqual(noCost);
    at(60_000);
    expect(await costOf(() => touchContact(vera))).toEqual(aWrite);
  });

  test.each([
    ['another name', { username: 'Una' }],
    ['another telephone number', { phone_number: '+2' }],
    ['another picture', { avatar_url: 'https://a.example/2' }],
    ['no picture', { avatar_url: null }],
  ])('is stored immediately if the token has %s', async (title, change) => {
    const wanda = { ...person(`wanda, ${title}`), ...profile };
    await touchContact(wanda);
    expect(await touchContact({ ...wanda, ...change })).toMatchObject({ ...profile, ...change });
    expect(await getContact(wanda.id)).toMatchObject({ ...profile, ...change });
  });
});

describe('Other contacts', () => {
  const strangers = (count: number) => Array.from({ length: count }, (_, n) => `stranger-${n}`);

  test('are read in one call, at half a read unit each, and cached for 30 seconds', async () => {
    for (const id of ['xena', 'yuri']) await touchContact({ ...person(id), ...profile });
    at(30_000);
    const read = () => getContacts(['xena', 'yuri', 'xena']);
    expect(await costOf(read)).toEqual([1, 1, 0]);
    expect((await read())('xena')).toMatchObject({ id: 'xena', ...profile });
    at(59_999);
    expect(await costOf(read)).toEqual(noCost);
    at(60_000);
    expect(await costOf(read)).toEqual([1, 1, 0]);
  });

  test('that are not stored are returned with only an id, and are cached', async () => {
    const stranger = unknownContact('zoe');
    expect(await getContact('zoe')).toEqual(stranger);
    expect(await costOf(() => getContact('zoe'))).toEqual(noCost);
    expect((await getContacts([]))('zoe')).toEqual(stranger);
  });

  test('are evicted from the cache, least recently cached first, if it exceeds 1,000 contacts', async () => {
    // Evicts every contact cached so far.
    for (let n = 0; n < 1000; n += 100) await getContacts(strangers(1000).slice(n, n + 100));
    expect(await costOf(() => getContacts(strangers(1000).slice(0, 1)))).toEqual(noCost);
    await getContact('one more');
    expect(await costOf(() => getContacts(strangers(1000).slice(1)))).toEqual(noCost);
    expect((await costOf(() => getContact('stranger-0')))[0]).toBe(1);
  });

  test('are returned even if other contacts in the same read evict them from the cache', async () => {
    const vic = { ...person('vic'), ...profile };
    await touchContact(vic);
    const others = Array.from({ length: 999 }, (_, n) => `other-${n}`);
    for (let n = 0; n < 999; n += 100) await getContacts(others.slice(n, n + 100));
    const contactOf = await getContacts(['vic', 'a newcomer']);
    expect(contactOf('vic')).toMatchObject({ id: 'vic', ...profile });
  });
});
