import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { toSeconds } from '../../../shared/clock.ts';
import {
  createBlock,
  createConversation,
  deleteConversation,
  deleteMessage,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import {
  block,
  changeConversation,
  create,
  getConversations,
  list,
  send,
  unblock,
} from '../../support/handlers/api-calls.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { toMissingId } from '../../support/handlers/missing-id.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { person } from '../../support/people/callers.ts';
import { beforeFirstCall, interceptCalls, isTransaction } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';
import { createPair, type Pair } from './create-pair.ts';

/** Every write that the other contact would see. */
const writes = {
  'send a message': ({ id }: Pair, as: Caller) =>
    refused(sendMessage, { as, body: { conversation_id: id, message: 'Hi' } }),
  'edit a message': ({ ann, byAnn, byBob }: Pair, as: Caller) =>
    refused(updateMessage, {
      as,
      path: { message_id: as === ann ? byAnn : byBob },
      body: { message: 'edited' },
    }),
  'edit a message with If-Match': async ({ ann, byAnn, byBob }: Pair, as: Caller) =>
    refused(updateMessage, {
      as,
      path: { message_id: as === ann ? byAnn : byBob },
      headers: { 'If-Match': '"old"' },
      body: { message: 'edited' },
    }),
  'react to a message': ({ byAnn }: Pair, as: Caller) =>
    refused(updateMessage, {
      as,
      path: { message_id: byAnn },
      body: { reactions: { ok: [as.id] } },
    }),
  'delete a message': ({ ann, byAnn, byBob }: Pair, as: Caller) =>
    refused(deleteMessage, { as, path: { message_id: as === ann ? byAnn : byBob } }),
  'pin a message': ({ id, byAnn }: Pair, as: Caller) =>
    refused(updateConversation, {
      as,
      path: { conversation_id: id },
      body: { pinned_message_id: byAnn },
    }),
  'delete the conversation': ({ id }: Pair, as: Caller) =>
    refused(deleteConversation, { as, path: { conversation_id: id } }),
  'delete the conversation with If-Match': ({ id }: Pair, as: Caller) =>
    refused(deleteConversation, {
      as,
      path: { conversation_id: id },
      headers: { 'If-Match': '"old"' },
    }),
  'create a conversation': ({ ann, bob }: Pair, as: Caller) =>
    refused(createConversation, { as, body: { contact_id: as === ann ? bob.id : ann.id } }),
  'get or create the distinct conversation': ({ ann, bob }: Pair, as: Caller) =>
    refused(createConversation, {
      as,
      body: { contact_id: as === ann ? bob.id : ann.id, distinct: true },
    }),
} as const;

describe('Blocking a contact', () => {
  test.each(Object.entries(writes))(
    'lets neither contact %s, and a refused attempt changes nothing',
    async (_, write) => {
      const pair = await createPair();
      const { ann, bob, id } = pair;
      const before = await list(ann, id, { peek: 'true' });
      await block(ann, bob.id);
      expect(await write(pair, bob)).toMatchObject({ status: 403, code: 'blocked', param: null });
      expect(await write(pair, ann)).toMatchObject({ status: 403, code: 'blocking', param: null });
      expect(await list(ann, id, { peek: 'true' })).toEqual(before);
      expect((await getConversations(ann)).data).toHaveLength(1);
    },
  );

  test('applies to direct conversations created by either contact', async () => {
    const { ann, bob, id } = await createPair();
    const ids = [id, (await create(bob, { contact_id: ann.id })).id];
    await block(ann, bob.id);
    for (const conversation_id of ids) {
      const attempt = { as: bob, body: { conversation_id, message: 'Hi' } };
      expect(await refused(sendMessage, attempt)).toMatchObject({ code: 'blocked' });
    }
  });

  test('makes a concurrent send fail even if the send has already reserved its sequence number', async () => {
    const { ann, bob, id } = await createPair();
    const before = await list(ann, id);
    beforeFirstCall(
      ({ operation }) => operation === 'PutItem',
      () => block(ann, bob.id),
    );
    const attempt = { as: bob, body: { conversation_id: id, message: 'Hi' } };
    expect(await refused(sendMessage, attempt)).toMatchObject({ code: 'blocked' });
    await unblock(ann, bob.id);
    const { id: next } = await send(bob, id, 'Hello');
    expect((await list(ann, id)).data.map((one) => one.id)).toEqual([
      next,
      ...before.data.map((one) => one.id),
    ]);
  });

  test('succeeds even if the other contact concurrently blocks and unblocks the caller', async () => {
    const { ann, bob, id } = await createPair();
    let isDisturbed = false;
    interceptCalls(async (call, proceed) => {
      if (isTransaction(call) && !isDisturbed) {
        isDisturbed = true;
        await block(bob, ann.id);
        await unblock(bob, ann.id);
        isDisturbed = false;
      }
      await proceed();
    });
    expect(await block(ann, bob.id)).toMatchObject({ contact_id: bob.id });
    const attempt = { as: bob, body: { conversation_id: id, message: 'Hi' } };
    expect(await refused(sendMessage, attempt)).toMatchObject({ code: 'blocked' });
    expect(await unblock(ann, bob.id)).toMatchObject({ deleted: true });
    expect(await send(bob, id, 'Hi')).toMatchObject({ message: 'Hi' });
  });

  test('returns the existing block if the contact is already blocked', async () => {
    const { ann, bob } = await createPair();
    const time = createVirtualClock();
    const first = await block(ann, bob.id);
    expect(first).toEqual({ contact_id: bob.id, created_at: toSeconds(time.now()) });
    time.pass(5000);
    expect(await block(ann, bob.id)).toEqual(first);
  });

  test('succeeds for a contact who has never written, and returns 400 for the caller’s own id', async () => {
    const ann = person('ann.alone');
    expect(await block(ann, 'unknown')).toMatchObject({ contact_id: 'unknown' });
    expect(await refused(createBlock, { as: ann, path: { contact_id: ann.id } })).toMatchObject({
      status: 400,
      code: 'parameter_invalid',
      param: 'contact_id',
    });
  });

  test('in both directions makes sends fail until both contacts unblock, and the error reports the sender’s own block until the sender removes it', async () => {
    const { ann, bob, id } = await createPair();
    await block(ann, bob.id);
    await block(bob, ann.id);
    const attempt = (as: Caller) => ({ as, body: { conversation_id: id, message: 'Hi' } });
    for (const as of [ann, bob]) {
      expect(await refused(sendMessage, attempt(as))).toMatchObject({ code: 'blocking' });
    }
    await unblock(ann, bob.id);
    expect(await refused(sendMessage, attempt(ann))).toMatchObject({ code: 'blocked' });
    await unblock(bob, ann.id);
    expect(await request(sendMessage, attempt(ann))).toMatchObject({ status: 201 });
  });

  test('does not affect group conversations or conversations with other contacts', async () => {
    const { ann, bob } = await createPair();
    const [inTeam, alsoInTeam] = [ann, bob].map((one) => ({ ...one, groups: [`team-${bob.id}`] }));
    const { id: team } = await create(inTeam ?? ann, {
      group_id: `team-${bob.id}`,
      contact_id: bob.id,
    });
    const { id: other } = await create(bob, { contact_id: 'dora' });
    await block(ann, bob.id);
    expect(await send(alsoInTeam ?? bob, team, 'Hi all')).toMatchObject({ message: 'Hi all' });
    expect(await send(bob, other, 'Hi Dora')).toMatchObject({ message: 'Hi Dora' });
  });

  test('does not change the 404 for the edit or deletion of a nonexistent message', async () => {
    const { ann, bob, byAnn } = await createPair();
    await block(ann, bob.id);
    const missing = { message_id: toMissingId(byAnn) };
    const edit = { as: bob, path: missing, body: { message: 'x' } };
    expect(await refused(updateMessage, edit)).toMatchObject({ status: 404 });
    expect(await refused(deleteMessage, { as: bob, path: missing })).toMatchObject({ status: 404 });
  });

  test('does not prevent either contact from setting flags, read positions and unread marks', async () => {
    const { ann, bob, id, byAnn } = await createPair();
    await block(ann, bob.id);
    for (const as of [ann, bob]) {
      expect(
        await changeConversation(as, id, { is_muted: true, last_read_message_id: byAnn }),
      ).toMatchObject({ is_muted: true });
      expect(await changeConversation(as, id, { mark_unread_from: byAnn })).toMatchObject({ id });
      // Clients may send back all the fields that they received.
      expect(
        await changeConversation(as, id, { pinned_message_id: null, is_muted: false }),
      ).toMatchObject({ is_muted: false });
    }
  });

  test('requires a check that consumes no read units in a send, and one read unit in the creation of a conversation', async () => {
    const { ann, bob, id } = await createPair();
    await send(bob, id, 'Hi');
    expect(usage).toMatchObject({ table_calls: 2, read_units: 0 });
    await create(bob, { contact_id: ann.id });
    expect(usage).toMatchObject({ table_calls: 2, read_units: 1 });
  });
});
