import type { EventType } from '../../shared/contract/resources/event.ts';

const participants = 'all participants';
const membersAndContact = 'all members, and the contact in their own feed';

/** Recipients and cause of each event type, for docs/live.md. */
const events: Record<EventType, { recipients: string; when: string }[]> = {
  'message.created': [
    {
      recipients: participants,
      when: "a message was sent. If its `created_at` is higher than the conversation's `last_active_at`, copy it there. If `payload` is a deletion, retrieve the conversation",
    },
  ],
  'message.updated': [
    {
      recipients: participants,
      when: 'a message was edited, reacted to, or read, or its file was scanned',
    },
  ],
  'message.deleted': [
    {
      recipients: participants,
      when: 'a message was deleted. `payload` is `{"id", "conversation_id", "deleted": true}`',
    },
  ],
  'conversation.created': [{ recipients: participants, when: 'a conversation was created' }],
  'conversation.updated': [
    { recipients: participants, when: 'a message was pinned or unpinned' },
    {
      recipients: 'the staff of a business',
      when: 'a conversation with the business was [assigned](businesses.md#assignment)',
    },
    {
      recipients: 'the contact, on all their devices',
      when: 'a contact pinned, muted, archived or opened the conversation, or marked it as unread',
    },
  ],
  'conversation.deleted': [
    {
      recipients: participants,
      when: 'a conversation was deleted. `payload` is `{"id", "deleted": true}`. Its messages have no deletion events',
    },
  ],
  'reader.updated': [
    {
      recipients: 'the other contact of a direct conversation',
      when: 'a contact opened the conversation. `payload` is `{"id", "conversation_id", "contact_id", "last_read_message_id", "last_opened_at"}`. If either contact hides read receipts, there is no event',
    },
  ],
  'group.updated': [
    {
      recipients: 'all members',
      when: 'the title or avatar of a [group that users create](groups.md), or the role of a member, changed',
    },
  ],
  'group.member_added': [
    {
      recipients: membersAndContact,
      when: 'a contact joined. `payload` is `{"id", "group_id", "contact_id", "role", "joined_at"}`. If you are the contact, see [Groups](#groups)',
    },
  ],
  'group.member_removed': [
    {
      recipients: membersAndContact,
      when: 'a contact left or was removed. `payload` is `{"id", "group_id", "contact_id", "deleted": true}`',
    },
  ],
  'group.deleted': [
    {
      recipients: 'all former members, each in their own feed',
      when: 'a group was deleted. `payload` is `{"id", "deleted": true}`',
    },
  ],
};

/** Table of event types for docs/live.md. */
export const eventsTable = [
  '| type | recipients | when |',
  '|---|---|---|',
  ...Object.entries(events).flatMap(([type, rows]) =>
    rows.map(({ recipients, when }) => `| \`${type}\` | ${recipients} | ${when} |`),
  ),
].join('\n');
