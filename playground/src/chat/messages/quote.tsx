import type { Message } from '../../../../client/src/index.ts';
import { getContactName } from '../../inbox/display-names.ts';
import { formatCount } from '../../parts/format.ts';

type Quoted = Pick<Message, 'contact' | 'message' | 'attachments'>;

export const toQuoteText = ({ contact, message, attachments }: Quoted): string =>
  `${getContactName(contact)}: ${message || formatCount(attachments.length, 'attachment')}`;

/** Shows the message that a reply quotes. A click focuses that message if it is loaded. */
export function Quote({ message }: { message: Message }) {
  const { reply_to_id, reply_to } = message;
  if (!reply_to_id) return null;
  if (!reply_to) return <p class="quote muted">Deleted message</p>;
  return (
    <button
      type="button"
      class="quote"
      onClick={({ currentTarget }) => {
        const list = currentTarget.closest('.messages');
        list?.querySelector<HTMLElement>(`[data-message="${reply_to.id}"]`)?.focus();
      }}
    >
      {toQuoteText(reply_to)}
    </button>
  );
}
