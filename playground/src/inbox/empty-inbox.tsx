import { people, sides } from '../data/people.ts';
import type { Person } from '../data/person.ts';
import { Icon } from '../parts/icon.tsx';
import { chatWith } from './chat-with.ts';

const nothing = {
  inbox: 'No conversations yet.',
  pinned: 'No conversation is pinned.',
  muted: 'No conversation is muted.',
  archived: 'No conversation is archived.',
};

export function EmptyInbox({ person }: { person: Person }) {
  const filter = person.filter.value;
  const others = sides
    .map((side) => people[side].value.who)
    .filter(({ id }) => id !== person.who.id)
    .slice(0, 1);
  return (
    <div class="empty">
      <Icon name={filter === 'inbox' ? 'chats' : 'archive'} />
      <p>{nothing[filter]}</p>
      {filter === 'inbox' &&
        others.map(({ id, username }) => (
          <button
            key={id}
            type="button"
            class="button primary"
            onClick={() => chatWith(person, { contact_id: id, distinct: true })}
          >
            Chat with {username}
          </button>
        ))}
    </div>
  );
}
