import { layout } from './layout.ts';
import { Avatar } from './parts/avatar.tsx';
import { Icon } from './parts/icon.tsx';
import { people, sides } from './state/people.ts';

export const NarrowTabs = () => (
  <nav class="narrow-tabs" aria-label="View">
    {sides.map((side) => {
      const { identity } = people[side].value;
      return (
        <button
          key={side}
          type="button"
          aria-pressed={layout.narrowView.value === side}
          onClick={() => {
            layout.narrowView.value = side;
          }}
        >
          <Avatar id={identity.id} name={identity.username} size="small" />
          <span>{identity.username}</span>
        </button>
      );
    })}
    <button
      type="button"
      aria-pressed={layout.narrowView.value === 'requests'}
      onClick={() => {
        layout.narrowView.value = 'requests';
      }}
    >
      <Icon name="code" />
      <span>Requests</span>
    </button>
  </nav>
);
