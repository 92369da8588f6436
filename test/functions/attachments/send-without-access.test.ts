import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { createAttachment, sendMessage } from '../../../shared/contract/operations.ts';
import { describeFile, upload } from '../../support/files/use-file-server.ts';
import { block, create, removeConversation, send } from '../../support/handlers/api-calls.ts';
import { ok, refused } from '../../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { createTrio, person } from '../../support/people/callers.ts';
import { runPurgeWorker } from '../../support/workers/purge-worker.ts';
import '../../support/setup/use-table.ts';

/**
 * Returns six lists of attachment ids, each for one message. Each list is one case: a sent upload,
 * a pending upload, an incomplete upload, an unknown upload, a repeated id, and an upload in an
 * unknown conversation.
 */
async function createUploads(uploader: Caller, conversation: string) {
  const [sent, pending] = [
    await upload(uploader, conversation),
    await upload(uploader, conversation),
  ];
  await send(uploader, conversation, 'Look', { attachments: [{ id: sent }] });
  const body = describeFile(conversation, 'Hello');
  const { id: missing } = await ok(createAttachment, { as: uploader, body });
  const unknown = `${conversation}${'0'.repeat(26)}`;
  return [[sent], [pending], [missing], [unknown], [pending, pending], ['0'.repeat(52)]];
}

/** Sends one message per list of uploads. Returns the distinct errors. */
async function refuseAll(as: Caller, conversation_id: string, uploads: readonly string[][]) {
  const refusals = new Set<string>();
  for (const ids of uploads) {
    const attachments = ids.map((id) => ({ id }));
    const body = { conversation_id, message: '', attachments };
    const { status, code, param } = await refused(sendMessage, { as, body });
    refusals.add(`${status} ${code} ${param}`);
  }
  return [...refusals];
}

const notFound = ['404 not_found conversation_id'];

describe('The state of a message’s uploads does not change the error', () => {
  test('if the sender is not a participant', async () => {
    const { cleo, xavier, tina } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    const own = (await create(tina, { contact_id: xavier.id })).id;
    const uploads = [
      ...(await createUploads(cleo, id)),
      [await upload(tina, own)],
      [`${id}${own}`],
    ];
    expect(await refuseAll(tina, id, uploads)).toEqual(notFound);
    expect(await refuseAll(tina, '0'.repeat(26), uploads)).toEqual(notFound);
  });

  test('if the sender has left the group, even for the sender’s own uploads', async () => {
    const { cleo, team } = createTrio();
    const member = person(cleo.id, { groups: [team] });
    const { id } = await create(member, { group_id: team });
    const uploads = await createUploads(member, id);
    expect(await refuseAll(cleo, id, uploads)).toEqual(notFound);
  });

  test('in a deleted conversation, before and after the purge', async () => {
    const time = createVirtualClock();
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    const uploads = await createUploads(cleo, id);
    await removeConversation(cleo, id);
    expect(await refuseAll(cleo, id, uploads)).toEqual(notFound);
    time.pass(60_000);
    expect(await runPurgeWorker([id])).toEqual([]);
    expect(await refuseAll(cleo, id, uploads)).toEqual(notFound);
    expect(await refuseAll(xavier, id, uploads)).toEqual(notFound);
  });

  test('in a blocked conversation, for both users', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    const uploads = await createUploads(cleo, id);
    await block(xavier, cleo.id);
    expect(await refuseAll(cleo, id, uploads)).toEqual(['403 blocked null']);
    expect(await refuseAll(xavier, id, uploads)).toEqual(['403 blocking null']);
  });
});
