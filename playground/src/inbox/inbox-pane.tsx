import { useSignal } from '@preact/signals';
import { ErrorNote } from '../parts/error-note.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { moveFocus } from '../parts/move-focus.ts';
import { Segments } from '../parts/segments.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import type { Filter, Person } from '../state/person.ts';
import { EmptyInbox } from './empty-inbox.tsx';
import { InboxRow } from './inbox-row.tsx';
import { NewConversation } from './new-conversation.tsx';

const filters: readonly (readonly [Filter, string])[] = [
  ['inbox', 'Inbox'],
  ['pinned', 'Pinned'],
  ['muted', 'Muted'],
  ['archived', 'Archived'],
];

export function InboxPane({ person }: { person: Person }) {
  const isNewShown = useSignal(false);
  const { status, error, conversations, hasMore } = person.inbox.value;
  const isLoading = status === 'connecting' && conversations.length === 0;
  return (
    <>
      <div class="list-tools">
        <Segments
          label="Filter"
          options={filters}
          chosen={person.filter.value}
          onChoose={person.setFilter}
        />
        <IconButton
          icon="plus"
          label="New conversation"
          class="filled"
          aria-haspopup="dialog"
          onClick={() => {
            isNewShown.value = true;
          }}
        />
      </div>
      <div class="scroll" aria-busy={isLoading}>
        {isLoading && error === null && <Skeleton rows={5} />}
        {isLoading && error !== null && (
          <ErrorNote
            title="The conversations were not loaded."
            error={error}
            onRetry={person.reconnect}
          />
        )}
        {!isLoading && conversations.length === 0 && <EmptyInbox person={person} />}
        <ul class="rows" aria-label="Conversations" onKeyDown={(event) => moveFocus(event, '.row')}>
          {conversations.map((conversation) => (
            <InboxRow key={conversation.id} person={person} conversation={conversation} />
          ))}
        </ul>
        {hasMore && <MoreButton person={person} />}
      </div>
      {isNewShown.value && (
        <NewConversation
          person={person}
          onClose={() => {
            isNewShown.value = false;
          }}
        />
      )}
    </>
  );
}

const MoreButton = ({ person }: { person: Person }) => (
  <button
    type="button"
    class="button more"
    onClick={() => {
      person.loadMore().catch(() => {});
    }}
  >
    More conversations
  </button>
);
