import { useEffect } from 'preact/hooks';
import type { Message } from '../../../../client/src/index.ts';
import type { Chat } from '../../state/chat.ts';

interface Props {
  chat: Chat;
  me: string;
  newest: Message | undefined;
}

export function SeenNote({ chat, me, newest }: Props) {
  const { readers, conversation } = chat.snapshot.value;
  const isGroup = conversation?.group_id != null;
  // Groups have no `reader.updated` events. Their readers are loaded when the newest message
  // changes or is first read.
  useEffect(() => {
    chat.store.loadReaders().catch(() => {});
  }, [chat, isGroup && newest?.id, isGroup && newest?.read_at]);
  if (newest?.contact.id !== me) return null;
  const names = readers.flatMap(({ contact_id, last_read_message_id }) =>
    contact_id !== me && (last_read_message_id ?? '') >= newest.id ? [contact_id] : [],
  );
  if (names.length === 0) return null;
  return <p class="seen">{isGroup ? `Seen by ${names.join(', ')}` : 'Seen'}</p>;
}
