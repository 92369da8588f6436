import type { EventType } from '../../shared/contract/resources/event.ts';

const participants = 'all participants';

/** Recipients and cause of each event type, for docs/live.md. */
const events: Record<EventType, { recipients: string; when: string }[]> = {
  'message.created': [
    {
      recipients: participants,
      when: "it was sent. Raise the conversation's `last_active_at` to the message's `created_at`, never lower it. If `payload` is a deletion, retrieve the conversation",
    },
  ],
  'message.updated': [{ recipients: participants, when: 'it was edited, reacted to, or read' }],
  'message.deleted': [
    { recipients: participants, when: '`payload` is `{"id", "conversation_id", "deleted": true}`' },
  ],
  'conversation.created': [{ recipients: participants, when: 'it was created' }],
  'conversation.updated': [
    { recipients: participants, when: 'a message was pinned or unpinned' },
    {
      recipients: 'the contact who changed it, on all their devices',
      when: 'they pinned, muted, archived or opened it',
    },
  ],
  'conversation.deleted': [
    {
      recipients: participants,
      when: '`payload` is `{"id", "deleted": true}`. Its messages are deleted too, without events of their own',
    },
  ],
  'reader.updated': [
    {
      recipients: 'the other contact of a direct conversation',
      when: 'a contact opened it. `payload` is `{"id", "conversation_id", "contact_id", "last_read_message_id", "last_opened_at"}`. None if one of the two hides read receipts',
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
