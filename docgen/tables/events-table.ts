import type { EventType } from '../../shared/contract/resources/event.ts';

const participants = 'all participants';
const membersAndContact = 'all members, and the contact in their own feed';

/** Recipients and cause of each event type, for docs/live.md. */
const events: Record<EventType, { recipients: string; when: string }[]> = {
  'message.created': [
    {
      recipients: participants,
      when: "a message was sent. If its `created_at` is higher than the conversation's `last_active_at`, set `last_active_at` to it. If `payload` is a deletion, retrieve the conversation",
    },
  ],
  'message.updated': [
    {
      recipients: participants,
      when: 'a message was edited, reacted to, or read, or its file was scanned',
    },
  ],
  'message.deleted': [
    { recipients: participants, when: '`payload` is `{"id", "conversation_id", "deleted": true}`' },
  ],
  'conversation.created': [{ recipients: participants, when: 'a conversation was created' }],
  'conversation.updated': [
    { recipients: participants, when: 'a message was pinned or unpinned' },
    {
      recipients: 'the contact who changed it, on all their devices',
      when: 'the contact pinned, muted, archived or opened the conversation, or marked it as unread',
    },
  ],
  'conversation.deleted': [
    {
      recipients: participants,
      when: '`payload` is `{"id", "deleted": true}`. Its messages have no deletion events',
    },
  ],
  'reader.updated': [
    {
      recipients: 'the other contact of a direct conversation',
      when: 'a contact opened the conversation. `payload` is `{"id", "conversation_id", "contact_id", "last_read_message_id", "last_opened_at"}`. Not sent if either contact hides read receipts',
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
      when: 'a contact joined. `payload` is `{"id", "group_id", "contact_id", "role", "joined_at"}`. If you are the contact, [the group is new](#groups)',
    },
  ],
  'group.member_removed': [
    {
      recipients: membersAndContact,
      when: 'a contact left or was removed. `payload` is `{"id", "group_id", "contact_id", "deleted": true}`. If you are the contact, remove the group',
    },
  ],
  'group.deleted': [
    {
      recipients: 'all former members, each in their own feed',
      when: '`payload` is `{"id", "deleted": true}`. Remove the group and its conversations',
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
