import { people, sides } from './data/people.ts';
import { layout } from './layout.ts';
import { Avatar } from './parts/avatar.tsx';
import { Icon } from './parts/icon.tsx';

/** Where there is room for one thing only: which. */
export const NarrowTabs = () => (
  <nav class="narrow-tabs" aria-label="Shown">
    {sides.map((side) => {
      const { who } = people[side].value;
      return (
        <button
          key={side}
          type="button"
          aria-pressed={layout.shown.value === side}
          onClick={() => {
            layout.shown.value = side;
          }}
        >
          <Avatar id={who.id} name={who.username} size="small" />
          <span>{who.username}</span>
        </button>
      );
    })}
    <button
      type="button"
      aria-pressed={layout.shown.value === 'requests'}
      onClick={() => {
        layout.shown.value = 'requests';
      }}
    >
      <Icon name="code" />
      <span>Requests</span>
    </button>
  </nav>
);
