import { ChatPane } from '../chat/chat-pane.tsx';
import { DropZone } from '../chat/drop-zone.tsx';
import { GroupDialog } from '../groups/group-dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Icon } from '../parts/icon.tsx';
import type { Person } from '../state/person.ts';
import { ListPane } from './list-pane.tsx';
import { OutageNote } from './outage-note.tsx';
import { PersonBar } from './person-bar.tsx';

export function PersonPanel({ person }: { person: Person }) {
  const { side, identity, chat, notes, inbox } = person;
  const open = chat.value;
  return (
    <section
      class="person"
      data-side={side}
      data-view={open ? 'chat' : 'list'}
      aria-label={identity.username}
    >
      <PersonBar person={person} />
      <OutageNote person={person} />
      {inbox.value.status === 'failed' && (
        <ErrorNote
          title="Live updates failed."
          error={inbox.value.error}
          onRetry={person.reconnect}
        />
      )}
      {notes.value.map((note) => (
        <ErrorNote
          key={note.number}
          title={note.title}
          error={note.error}
          onDismiss={() => person.dismiss(note)}
        />
      ))}
      <div class="panes">
        <ListPane person={person} />
        <DropZone label={`Conversation of ${identity.username}`} onFiles={open?.addFiles}>
          {open ? (
            <ChatPane key={open.id} person={person} chat={open} />
          ) : (
            <div class="empty">
              <Icon name="chats" />
              <p>Choose a conversation.</p>
            </div>
          )}
        </DropZone>
      </div>
      {person.shownGroupId.value !== null && (
        <GroupDialog
          key={person.shownGroupId.value}
          person={person}
          groupId={person.shownGroupId.value}
          onClose={() => {
            person.shownGroupId.value = null;
          }}
        />
      )}
    </section>
  );
}
