import type {
  Client,
  LiveInbox,
  Message,
  OpenConversation,
  PendingMessage,
} from 'messaging-service-client';
import { useConversation } from 'messaging-service-client/react';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { Action, BlockAction, FileAction, ReportAction } from './actions.tsx';
import { Members } from './groups.tsx';

interface ChatProps {
  client: Client;
  inbox: LiveInbox | null;
  id: string;
}

export function Chat({ client, inbox, id }: ChatProps) {
  const [{ status, conversation: shown, messages, pending, readers, hasMore }, conversation] =
    useConversation(inbox, id);
  const [quoted, setQuoted] = useState<Message | null>(null);
  const other = shown?.group_id === null ? shown.contact_id : null;
  const newest = messages[0]?.id;
  useEffect(() => {
    if (newest && document.hasFocus()) conversation?.markRead();
  }, [conversation, newest]);
  useEffect(() => {
    conversation?.loadReaders().catch(() => {});
  }, [conversation]);
  const isSeen = ({ id, contact }: Message) =>
    readers.some((one) => one.contact_id !== contact.id && (one.last_read_message_id ?? '') >= id);
  if (status === 'loading') return <p>Loading…</p>;
  if (status === 'gone') return <p>You no longer have access to this conversation.</p>;
  if (status === 'failed') return <Action onClick={() => conversation?.reload()}>Try again</Action>;
  return (
    <section>
      {shown?.group_id && <Members client={client} inbox={inbox} id={shown.group_id} />}
      {other && <BlockAction client={client} contactId={other} />}
      {hasMore && <Action onClick={() => conversation?.loadOlder()}>Older messages</Action>}
      <ol>
        {messages.toReversed().map((one) => (
          <MessageItem key={one.id} client={client} message={one}>
            {isSeen(one) && <small>Seen</small>}
            <Action onClick={() => setQuoted(one)}>Reply</Action>
            {one.contact.id === other && (
              <>
                <Action onClick={() => conversation?.markUnread(one.id)}>Mark as unread</Action>
                <ReportAction client={client} message={one} />
              </>
            )}
          </MessageItem>
        ))}
        {pending.map((one) => (
          <PendingItem key={one.key} conversation={conversation} pending={one} />
        ))}
      </ol>
      <MessageForm conversation={conversation} quoted={quoted} onSend={() => setQuoted(null)} />
    </section>
  );
}

interface MessageItemProps {
  client: Client;
  message: Message;
  children: ReactNode;
}

const MessageItem = ({ client, message, children }: MessageItemProps) => (
  <li>
    {message.reply_to && <q>{message.reply_to.message}</q>}
    <b>{message.contact.username ?? message.contact.id}</b> {message.message}
    {message.attachments.map((file, n) => (
      <FileAction key={n} client={client} file={file} />
    ))}
    {children}
  </li>
);

interface PendingItemProps {
  conversation: OpenConversation | null;
  pending: PendingMessage;
}

/** Shows a message that the API has not confirmed yet. */
function PendingItem({ conversation, pending }: PendingItemProps) {
  const { key, message, files, status, error, attemptedAt } = pending;
  return (
    <li className={status}>
      {message}
      {files.map(({ name, loaded, size }, n) => (
        <progress key={n} value={loaded} max={size} aria-label={name} />
      ))}
      {files.length > 0 && status === 'pending' && attemptedAt === null && (
        <Action onClick={() => conversation?.discard(key)}>Cancel</Action>
      )}
      {status === 'failed' && (
        <>
          <em>{error?.message}</em>
          <Action onClick={() => conversation?.retry(key)}>Send again</Action>
          <Action onClick={() => conversation?.discard(key)}>Discard</Action>
        </>
      )}
    </li>
  );
}

interface MessageFormProps {
  conversation: OpenConversation | null;
  quoted: Message | null;
  onSend: () => void;
}

function MessageForm({ conversation, quoted, onSend }: MessageFormProps) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const message = String(data.get('message'));
    // If no file is chosen, the form contains an empty file.
    const chosen = data.getAll('files').filter((one) => one instanceof File);
    const files = chosen.filter(({ name }) => name !== '');
    const reply = quoted && { reply_to_id: quoted.id };
    // The list of pending messages shows failures.
    if (message !== '' || files.length > 0)
      conversation?.send({ message, files, ...reply }).catch(() => {});
    onSend();
    form.reset();
  };
  return (
    <form onSubmit={send}>
      {quoted && <q>{quoted.message}</q>}
      <input name="message" aria-label="Message" autoComplete="off" />
      <input name="files" type="file" aria-label="Files" multiple />
      <button type="submit">Send</button>
    </form>
  );
}
