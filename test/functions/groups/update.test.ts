import { describe, expect, test } from '@jest/globals';
import { retrieveGroup, updateGroup } from '../../../shared/contract/operations.ts';
import { notFoundError } from '../../support/handlers/expected-errors.ts';
import { changeGroup, getGroup, removeMember } from '../../support/handlers/group-calls.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { groupOfThree } from '../../support/people/group-people.ts';
import { beforeFirstCall, isTransaction } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

describe('Updating a group', () => {
  test('by an owner or an admin changes only the fields in the request', async () => {
    const { ann, bob, carol, id } = await groupOfThree();
    const avatar_url = 'https://example.com/new.png';
    expect(await changeGroup(ann, id, { title: 'New' })).toMatchObject({
      title: 'New',
      avatar_url: null,
    });
    expect(await changeGroup(bob, id, { avatar_url })).toMatchObject({ title: 'New', avatar_url });
    expect(await getGroup(carol, id)).toMatchObject({ title: 'New', avatar_url });
    expect(await changeGroup(bob, id, { avatar_url: null })).toMatchObject({ avatar_url: null });
    expect(await getGroup(carol, id)).toMatchObject({ title: 'New', avatar_url: null });
  });

  test('with If-Match succeeds only if the ETag is current', async () => {
    const { ann, bob, id, path } = await groupOfThree();
    const readTag = async () => (await request(retrieveGroup, { as: ann, path })).headers.ETag;
    const tag = (await readTag()) ?? '';
    const change = (title: string, etag: string) =>
      request(updateGroup, { as: bob, path, body: { title }, headers: { 'If-Match': etag } });
    const first = await change('First', tag);
    expect(first).toMatchObject({ status: 200, headers: { ETag: await readTag() } });
    expect((await change('Second', tag)).status).toBe(412);
    // Restores the original title, but not the original ETag.
    expect((await change('Lunch club', first.headers.ETag ?? '')).status).toBe(200);
    expect((await change('Third', tag)).status).toBe(412);
    beforeFirstCall(isTransaction, () => changeGroup(ann, id, { title: 'At that moment' }));
    expect((await change('Fourth', (await readTag()) ?? '')).status).toBe(412);
    expect(await getGroup(ann, id)).toMatchObject({ title: 'At that moment' });
  });

  test('retains a concurrent change to another field', async () => {
    const { ann, bob, id } = await groupOfThree();
    const avatar_url = 'https://example.com/new.png';
    beforeFirstCall(isTransaction, () => changeGroup(ann, id, { title: 'New' }));
    await changeGroup(bob, id, { avatar_url });
    expect(await getGroup(ann, id)).toMatchObject({ title: 'New', avatar_url });
  });

  test('by an admin is refused if the admin is removed during the request', async () => {
    const { ann, bob, id, path } = await groupOfThree();
    beforeFirstCall(isTransaction, () => removeMember(ann, id, bob));
    expect(await refused(updateGroup, { as: bob, path, body: { title: 'New' } })).toEqual(
      notFoundError('group_id'),
    );
    expect(await getGroup(ann, id)).toMatchObject({ title: 'Lunch club' });
  });

  test('with unchanged values does not change the ETag', async () => {
    const { ann, path } = await groupOfThree();
    const before = await request(retrieveGroup, { as: ann, path });
    const after = await request(updateGroup, { as: ann, path, body: { title: 'Lunch club' } });
    expect(after.headers.ETag).toBe(before.headers.ETag);
  });
});
