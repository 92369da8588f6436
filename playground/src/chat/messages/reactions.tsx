import type { Message } from '../../../../client/src/index.ts';

interface Props {
  message: Message;
  me: string;
  onReact: (name: string) => void;
}

export function Reactions({ message, me, onReact }: Props) {
  const all = message.reactions.flatMap((one) => Object.entries(one));
  if (all.length === 0) return null;
  return (
    <ul class="reactions" aria-label="Reactions">
      {all.map(([name, reactors]) => (
        <li key={name}>
          <button
            type="button"
            class="reaction"
            aria-pressed={reactors.includes(me)}
            title={reactors.join(', ')}
            onClick={() => onReact(name)}
          >
            <span class="emoji-text">{name}</span>{' '}
            <span class="reaction-count">{reactors.length}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
