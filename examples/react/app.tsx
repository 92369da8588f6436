import {
  type Attachment,
  type Client,
  type Conversation,
  createClient,
  createIndexedDbStorage,
  type Group,
  type ListConversationsParams,
  type LiveInbox,
  type LiveStatus,
  type Message,
  type OpenConversation,
  type PendingMessage,
} from 'messaging-service-client';
import {
  useConversation,
  useGroup,
  useGroups,
  useInbox,
  useLive,
} from 'messaging-service-client/react';
import { type FormEvent, type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const storage = createIndexedDbStorage();
const conversations: ListConversationsParams = {
  exclude: ['archived'],
  expand: ['contact', 'last_message', 'unread_count', 'mentioned'],
};

const statusTexts: Record<LiveStatus, string> = {
  connecting: 'Connecting…',
  live: 'Up to date',
  polling: 'Up to date every 15 seconds',
  'catching-up': 'Reconnecting…',
  offline: 'Offline: messages are sent when you are back',
  'signed-out': 'Signed out',
  failed: 'Cannot connect',
  closed: 'Closed',
};

function App() {
  const [client, setClient] = useState<Client | null>(null);
  const inbox = useLive(client, { storage, conversations });
  const { status, conversations: shown, hasMore } = useInbox(inbox);
  const { groups } = useGroups(inbox);
  const [selected, setSelected] = useState<string | null>(null);
  if (!client || status === 'signed-out') return <SignIn onSignIn={setClient} />;
  const signOut = () => {
    setSelected(null);
    setClient(null);
  };
  return (
    <main>
      <header>
        <span role="status">{statusTexts[status]}</span>
        <Action onClick={signOut}>Sign out</Action>
      </header>
      <nav>
        {shown.map((one) => (
          <button
            key={one.id}
            type="button"
            aria-pressed={one.id === selected}
            onClick={() => setSelected(one.id)}
          >
            <b>{getTitle(one, groups)}</b>{' '}
            {one.unread_count ? <mark>{one.unread_count}</mark> : null}
            {one.mentioned && <mark title="You were mentioned">@</mark>}
            <small>{one.last_message?.message}</small>
          </button>
        ))}
        {hasMore && <Action onClick={() => inbox?.loadMore()}>More</Action>}
        <NewGroup client={client} onOpen={setSelected} />
      </nav>
      {selected && <Chat key={selected} client={client} inbox={inbox} id={selected} />}
    </main>
  );
}

const getTitle = (
  { group_id, contact, contact_id }: Conversation,
  groups: readonly Group[],
): string | null =>
  groups.find(({ id }) => id === group_id)?.title ?? group_id ?? contact?.username ?? contact_id;

function NewGroup({ client, onOpen }: { client: Client; onOpen: (id: string) => void }) {
  const create = async (form: FormData) => {
    const members = String(form.get('members'))
      .split(/[\s,]+/)
      .filter(Boolean);
    const group = await client.groups.create({ title: String(form.get('title')), members });
    onOpen((await client.conversations.create({ group_id: group.id })).id);
  };
  return (
    <ActionForm action={create} submit="New group">
      <input name="title" aria-label="Title" required />
      <input name="members" aria-label="Members" placeholder="bob, carol" />
    </ActionForm>
  );
}

interface ActionFormProps {
  action: (form: FormData) => Promise<unknown>;
  submit: string;
  children: ReactNode;
}

/** Runs an action when the form is submitted, and shows its error. */
function ActionForm({ action, submit, children }: ActionFormProps) {
  const [error, setError] = useState<Error | null>(null);
  const run = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setError(null);
    await action(new FormData(form)).then(() => form.reset(), setError);
  };
  return (
    <form onSubmit={run}>
      {children}
      <button type="submit">{submit}</button>
      {error && <em role="alert">{error.message}</em>}
    </form>
  );
}

/** Shows the members of a group. The API rejects changes that the user's role does not allow. */
function Members({ client, inbox, id }: ChatProps) {
  const [{ members, role }] = useGroup(inbox, id);
  if (role === null) return null;
  const add = (form: FormData) =>
    client.members.put({ group_id: id, contact_id: String(form.get('contact')) });
  const remove = (form: FormData) =>
    client.members.remove({ group_id: id, contact_id: String(form.get('contact')) });
  return (
    <details>
      <summary>{members.length} members</summary>
      {members.map(({ contact_id, role: memberRole }) => (
        <ActionForm key={contact_id} action={remove} submit={`Remove ${contact_id}`}>
          <input type="hidden" name="contact" value={contact_id} />
          {contact_id} ({memberRole})
        </ActionForm>
      ))}
      <ActionForm action={add} submit="Add">
        <input name="contact" aria-label="Contact" required />
      </ActionForm>
    </details>
  );
}

const Action = ({ onClick, children }: { onClick: () => unknown; children: string }) => (
  <button type="button" onClick={onClick}>
    {children}
  </button>
);

function SignIn({ onSignIn }: { onSignIn: (client: Client) => void }) {
  const signIn = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const saved = String(form.get('token'));
    // A real app requests a new token from its identity provider here. Null means signed out.
    const token = ({ fresh }: { fresh: boolean }) => (fresh ? null : saved);
    onSignIn(createClient({ url: String(form.get('url')), token }));
  };
  return (
    <form className="sign-in" onSubmit={signIn}>
      <input name="url" aria-label="API address" defaultValue="http://127.0.0.1:3000" />
      <input name="token" aria-label="Token" placeholder="npm run -s token -- ann" required />
      <button type="submit">Sign in</button>
    </form>
  );
}

function BlockAction({ client, contactId }: { client: Client; contactId: string }) {
  const [isBlocked, setIsBlocked] = useState(false);
  useEffect(() => {
    const load = async () => {
      for await (const { contact_id } of client.blocks.list({ limit: 100 }))
        if (contact_id === contactId) setIsBlocked(true);
    };
    load().catch(() => {});
  }, [client, contactId]);
  const toggle = async () => {
    if (isBlocked) await client.blocks.delete({ contact_id: contactId });
    else await client.blocks.create({ contact_id: contactId });
    setIsBlocked(!isBlocked);
  };
  return (
    <Action onClick={() => toggle().catch(() => {})}>{isBlocked ? 'Unblock' : 'Block'}</Action>
  );
}

function ReportAction({ client, message }: { client: Client; message: Message }) {
  const [isReported, setIsReported] = useState(false);
  const report = async () => {
    // A real app asks the user for the reason.
    await client.reports.create({ message_id: message.id, reason: 'other' });
    setIsReported(true);
  };
  if (isReported) return <small>Reported</small>;
  return <Action onClick={() => report().catch(() => {})}>Report</Action>;
}

/** Opens an uploaded file at a URL that is valid for five minutes. */
function FileAction({ client, file: { id, name, url } }: { client: Client; file: Attachment }) {
  if (typeof id !== 'string') return <a href={url ?? undefined}>{name ?? url}</a>;
  const open = async () => {
    const link = await client.attachments.retrieve({ attachment_id: id });
    window.open(link.url, '_blank', 'noopener');
  };
  return <Action onClick={() => open().catch(() => {})}>{name ?? 'File'}</Action>;
}

interface ChatProps {
  client: Client;
  inbox: LiveInbox | null;
  id: string;
}

function Chat({ client, inbox, id }: ChatProps) {
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
  if (status === 'gone') return <p>You have no access to this conversation any more.</p>;
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

/** Shows a message that the API has not stored yet. */
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

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
