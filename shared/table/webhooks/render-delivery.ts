import type { BusEvent } from '../../bus-event.ts';
import type { Caller } from '../../caller.ts';
import { toSnakeCaseBusiness } from '../../contract/business/business-formats.ts';
import { type EventType, eventTypes, toRemovedMember } from '../../contract/resources/event.ts';
import type { Inbox } from '../../inbox.ts';
import { getBusiness } from '../businesses/get-business.ts';
import { renderEvents } from '../feed/read/render-events.ts';

/**
 * Returns the JSON body of an event's delivery. The payload is the current state of the resource.
 * If the resource has since been deleted, the payload contains `deleted: true`.
 */
export async function renderDelivery(event: BusEvent): Promise<string> {
  const { id, type, created_at, version } = event;
  const timestamp = new Date(created_at * 1000).toISOString();
  return JSON.stringify({ id, type, timestamp, version, payload: await renderPayload(event) });
}

const isFeedType = (type: string): type is EventType => eventTypes.some((one) => one === type);

async function renderPayload(event: BusEvent): Promise<unknown> {
  const { type, business_id, conversation_id, message_id, recipient_id } = event;
  const { group_id, contact_id } = event;
  if (!isFeedType(type)) {
    const business = business_id === undefined ? undefined : await getBusiness(business_id);
    return business ? toSnakeCaseBusiness(business) : { public_id: business_id, deleted: true };
  }
  // Events of conversations and messages have a conversation id; events of groups have none.
  const id = message_id ?? conversation_id ?? group_id ?? '';
  const member = conversation_id === undefined ? (contact_id ?? undefined) : undefined;
  if (type === 'group.member_removed') return toRemovedMember(id, member ?? '');
  const { reader, inbox } = getReader(event);
  const isOwn = recipient_id !== undefined && type === 'conversation.updated';
  const at = event.created_at;
  const entry = { type, id, version: event.version, at, ...(member && { member }) };
  const [rendered] = await renderEvents(
    reader,
    [{ inbox, sequence: 1, entry: isOwn ? { ...entry, own: true } : entry }],
    new Set(),
  );
  const payload = rendered?.payload ?? null;
  const showsSettings = payload !== null && 'is_muted' in payload && recipient_id === undefined;
  return showsSettings ? { ...payload, ...noSettings } : payload;
}

/** Settings in a conversation's payload if the event has no single recipient. */
const noSettings = { is_pinned: false, is_muted: false, archived_at: null, last_opened_at: null };

/** Returns a reader who may see the resource: the recipient, a member or the creator. */
function getReader({ recipient_id, created_by = '', group_id }: BusEvent) {
  const id = recipient_id ?? created_by;
  const groups = group_id ? [group_id] : [];
  const reader: Caller = {
    ...{ id, groups, bypassesBlocks: true, tokenExpiresAt: 0 },
    ...{ username: null, phone_number: null, avatar_url: null },
  };
  const inbox: Inbox =
    group_id && recipient_id === undefined
      ? { kind: 'group', id: group_id }
      : { kind: 'contact', id };
  return { reader, inbox };
}
