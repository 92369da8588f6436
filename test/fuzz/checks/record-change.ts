import * as v from 'valibot';
import { getSuccessStatuses } from '../../../shared/contract/operation.ts';
import { NewAttachment } from '../../../shared/contract/resources/attachment.ts';
import { Block } from '../../../shared/contract/resources/block.ts';
import { Conversation } from '../../../shared/contract/resources/conversation.ts';
import { Group, GroupMember } from '../../../shared/contract/resources/group.ts';
import { Live } from '../../../shared/contract/resources/live.ts';
import { Message } from '../../../shared/contract/resources/message.ts';
import type { Fixture } from '../run/fixture.ts';
import type { Reply } from '../run/raw-client.ts';
import type { Sent } from '../send/compile-request.ts';
import { parseGroupPath } from '../send/parse-group-path.ts';
import { getHeader, parseJson } from './check-reply.ts';
import { recordSend, recordUpload } from './record-upload.ts';

const Named = v.union([
  v.pipe(
    v.object({ id: v.string() }),
    v.transform(({ id }) => id),
  ),
  v.pipe(
    v.object({ public_id: v.string() }),
    v.transform(({ public_id }) => public_id),
  ),
]);
const NamedMembers = v.object({
  members: v.fallback(v.optional(v.array(v.string()), []), []),
});
const Deleted = v.object({ id: v.string(), deleted: v.literal(true) });

/** Returns the fields of a message that an update can change. */
export const messageContent = ({
  message,
  attachments,
  reactions,
  updated_at,
}: v.InferInput<typeof Message>) => ({ message, attachments, reactions, updated_at });

export const ownFlags = ({
  is_pinned,
  is_muted,
  archived_at,
}: Pick<Conversation, 'is_pinned' | 'is_muted' | 'archived_at'>) => ({
  is_pinned,
  is_muted,
  archived_at,
});

export function recordChange(sent: Sent, reply: Reply, { model }: Fixture): void {
  const { row, caller, body: sentBody } = sent;
  if (!row || !caller || !getSuccessStatuses(row).includes(reply.status) || row.list) return;
  const body = parseJson(reply.body);
  if (v.is(Live, body)) model.feedCursors.set(caller.id, body.cursor);
  const isNew = reply.status === 201 && getHeader(reply, 'Idempotent-Replayed') === undefined;
  const etag = getHeader(reply, 'ETag');
  const changes = row.method === 'PUT' || isNew;
  const named = v.safeParse(Named, body);
  if (etag && named.success) model.etags.set(`${caller.id} ${named.output}`, etag);
  if (v.is(NewAttachment, body)) {
    recordUpload(body, caller, model);
  } else if (v.is(Group, body)) {
    const fields = sent.fields ?? sent.form;
    const isUncertain = fields === undefined && sent.body.includes('members');
    const { members } = v.parse(NamedMembers, fields ?? {});
    if (isNew) model.groups.create(body.id, caller.id, members, isUncertain);
  } else if (v.is(GroupMember, body)) {
    model.groups.setRole(parseGroupPath(sent.target).groupId, body.contact_id, body.role);
  } else if (v.is(Message, body)) {
    const { id, conversation_id } = body;
    if (isNew) {
      model.messages.set(id, { id, conversation_id, sent_by: caller.id, deleted: false });
      recordSend(body, model);
    }
    if (changes) model.recordState(id, messageContent(body));
  } else if (v.is(Conversation, body)) {
    const { id, group_id, pinned_message_id } = body;
    if (isNew) {
      const contact_id = body.contact_id;
      model.conversations.set(id, {
        id,
        created_by: caller.id,
        contact_id,
        group_id,
        deleted: false,
      });
    }
    if (changes) model.recordState(`${caller.id} ${id}`, ownFlags(body));
    if (isNew || sentBody.includes('pinned_message_id')) {
      model.recordState(`pin ${id}`, pinned_message_id);
    }
  } else if (v.is(Block, body)) {
    const blocked = model.blocks.get(caller.id) ?? new Set();
    model.blocks.set(caller.id, blocked.add(body.contact_id));
  } else if (v.is(Deleted, body)) {
    const conversation = model.conversations.get(body.id);
    const message = model.messages.get(body.id);
    const group = model.groups.all.get(body.id);
    if (group) group.deleted = true;
    if (conversation) conversation.deleted = true;
    if (message) message.deleted = true;
    const pins = message && model.statesOf(`pin ${message.conversation_id}`);
    if (message && pins?.includes(message.id))
      model.recordState(`pin ${message.conversation_id}`, null);
  }
}
