import {
  type Client,
  type Conversation,
  createClient,
  createIndexedDbStorage,
  type Group,
  type ListConversationsParams,
  type LiveStatus,
} from 'messaging-service-client';
import { useGroups, useInbox, useLive } from 'messaging-service-client/react';
import { type FormEvent, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Action } from './actions.tsx';
import { Chat } from './chat.tsx';
import { NewGroup } from './groups.tsx';

const storage = createIndexedDbStorage();
const conversations: ListConversationsParams = {
  exclude: ['archived'],
  expand: ['contact', 'last_message', 'unread_count', 'mentioned'],
};

const statusTexts: Record<LiveStatus, string> = {
  connecting: 'Connecting…',
  live: 'Up to date',
  polling: 'Updated every 15 seconds',
  'catching-up': 'Reconnecting…',
  offline: 'Offline: messages are sent when you reconnect',
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

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
