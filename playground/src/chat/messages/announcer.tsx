import { useEffect, useRef, useState } from 'preact/hooks';
import type { Message } from '../../../../client/src/index.ts';
import { getContactName } from '../../inbox/display-names.ts';

interface Props {
  /** Newest first. */
  messages: readonly Message[];
  isMine: (message: Message) => boolean;
}

/** Announces new messages from other users to screen readers. */
export function Announcer({ messages, isMine }: Props) {
  const [newest] = messages;
  const last = useRef(newest?.id);
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    if (!newest || newest.id === last.current) return;
    last.current = newest.id;
    if (!isMine(newest)) setAnnouncement(`${getContactName(newest.contact)}: ${newest.message}`);
  }, [newest, isMine]);
  return (
    <p class="unseen" aria-live="polite">
      {announcement}
    </p>
  );
}
