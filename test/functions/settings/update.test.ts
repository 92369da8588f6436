import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import {
  listReaders,
  retrieveSettings,
  updateSettings,
} from '../../../shared/contract/operations.ts';
import { create, list, send } from '../../support/handlers/api-calls.ts';
import { ok, refused } from '../../support/handlers/invoke-handler.ts';
import { person } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

const hide = (as: Caller, hides = true) =>
  ok(updateSettings, { as, body: { share_read_receipts: !hides } });

let teams = 0;
async function openedByFive() {
  const group = `team-s${teams++}`;
  const [ann, bob, carl, dora, eve] = ['ann', 'bob', 'carl', 'dora', 'eve'].map((name) =>
    person(`${group}.${name}`, { groups: [group] }),
  );
  if (!ann || !bob || !carl || !dora || !eve) throw new Error('A member is missing.');
  const { id } = await create(ann, { group_id: group });
  await send(ann, id, 'Hello');
  const members = { ann, bob, carl, dora, eve };
  for (const as of Object.values(members)) await list(as, id);
  const readers = async (as: Caller, limit = '10') => {
    const page = await ok(listReaders, { as, path: { conversation_id: id }, query: { limit } });
    const names = page.data.map(({ contact_id }) => contact_id.split('.')[1]).sort();
    return { names, has_more: page.has_more };
  };
  return { ...members, readers };
}

describe('A contact who hides read receipts', () => {
  test('is omitted from lists of readers and sees no readers until they share read receipts again', async () => {
    const { ann, bob, readers } = await openedByFive();
    expect(await ok(retrieveSettings, { as: ann })).toMatchObject({ share_read_receipts: true });
    expect(await hide(ann)).toMatchObject({ share_read_receipts: false });
    expect(await ok(retrieveSettings, { as: ann })).toMatchObject({ share_read_receipts: false });
    const others = { names: ['bob', 'carl', 'dora', 'eve'], has_more: false };
    expect(await readers(bob)).toEqual(others);
    expect(await readers(ann)).toEqual({ names: [], has_more: false });
    // Storing a changed profile does not change the setting.
    const { id } = await create({ ...ann, username: 'Another' }, { contact_id: 'zoe' });
    await send(ann, id, 'Hi');
    expect(await readers(bob)).toEqual(others);
    await hide(ann, false);
    expect(await readers(ann)).toEqual({ ...others, names: ['ann', ...others.names] });
  });

  test('does not shorten the pages of other readers, and has_more remains correct', async () => {
    const { ann, bob, carl, dora, readers } = await openedByFive();
    for (const as of [ann, bob, carl]) await hide(as);
    expect(await readers(dora, '2')).toEqual({ names: ['dora', 'eve'], has_more: false });
    expect(await readers(dora, '1')).toMatchObject({ has_more: true });
  });
});

describe('Updating the caller’s settings', () => {
  test('without fields changes nothing', async () => {
    const as = person('ann-settings');
    await hide(as);
    expect(await ok(updateSettings, { as, body: {} })).toMatchObject({
      share_read_receipts: false,
    });
  });

  test('with a field of the wrong type returns an error that names the field', async () => {
    const call = { as: person('ann-settings'), body: { share_read_receipts: 'maybe' } };
    expect(await refused(updateSettings, call)).toMatchObject({
      status: 400,
      param: 'share_read_receipts',
    });
  });
});
