import type { EventType } from '../../shared/contract/resources/event.ts';

interface EventRow {
  /** Feeds that receive the event; by default, the feeds of all participants or members. */
  recipients?: string;
  when: string;
}

const alsoContact = "also in the contact's own feed";

/** Cause and special recipients of each event type, for docs/live.md. */
const events: Record<EventType, EventRow[]> = {
  'message.created': [
    {
      when: "a message was sent. If the conversation's `last_active_at` is lower than the message's `created_at`, set it to `created_at`. If `payload.deleted` is true, retrieve the conversation",
    },
  ],
  'message.updated': [
    { when: 'a message was edited, read or reacted to, or one of its files was scanned' },
  ],
  'message.deleted': [{ when: 'a message was deleted' }],
  'conversation.created': [{ when: 'a conversation was created' }],
  'conversation.updated': [
    { when: 'a message was pinned or unpinned' },
    {
      recipients: 'to the staff of a business',
      when: 'a conversation with the business was [assigned](businesses.md#assignment)',
    },
    {
      recipients: 'to one contact, on all their devices',
      when: 'the contact pinned, muted, archived or opened the conversation, or marked it as unread',
    },
  ],
  'conversation.deleted': [
    { when: 'a conversation was deleted. Its messages have no deletion events' },
  ],
  'reader.updated': [
    {
      recipients: 'to the other contact of a direct conversation',
      when: 'a contact opened the conversation. If either contact hides read receipts, the service sends no event',
    },
  ],
  'group.updated': [
    {
      when: 'the title or avatar of a [group that users create](groups.md), or the role of a member, changed',
    },
  ],
  'group.member_added': [
    {
      recipients: alsoContact,
      when: 'a contact joined the group. If you are the contact, see [Groups](#groups)',
    },
  ],
  'group.member_removed': [
    { recipients: alsoContact, when: 'a contact left the group or was removed' },
  ],
  'group.deleted': [
    { recipients: "to each former member's own feed", when: 'a group was deleted' },
  ],
};

const toRow = (type: string, { recipients, when }: EventRow) =>
  `| \`${type}\`${recipients ? `, ${recipients}` : ''} | ${when} |`;

/** Table of event types for docs/live.md. */
export const eventsTable = [
  '| type | when |',
  '|---|---|',
  ...Object.entries(events).flatMap(([type, rows]) => rows.map((row) => toRow(type, row))),
].join('\n');
