import { Icon } from '../parts/icon.tsx';
import { people, sides } from '../state/people.ts';
import type { Person } from '../state/person.ts';
import { startConversation } from './start-conversation.ts';

const emptyTexts = {
  inbox: 'No conversations yet.',
  pinned: 'No conversation is pinned.',
  muted: 'No conversation is muted.',
  archived: 'No conversation is archived.',
};

export function EmptyInbox({ person }: { person: Person }) {
  const filter = person.filter.value;
  const others = sides
    .map((side) => people[side].value.identity)
    .filter(({ id }) => id !== person.identity.id)
    .slice(0, 1);
  return (
    <div class="empty">
      <Icon name={filter === 'inbox' ? 'chats' : 'archive'} />
      <p>{emptyTexts[filter]}</p>
      {filter === 'inbox' &&
        others.map(({ id, username }) => (
          <button
            key={id}
            type="button"
            class="button primary"
            onClick={() => startConversation(person, { contact_id: id, distinct: true })}
          >
            Chat with {username}
          </button>
        ))}
    </div>
  );
}
