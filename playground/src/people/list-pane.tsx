import { BusinessPane } from '../business/business-pane.tsx';
import { GroupsPane } from '../groups/groups-pane.tsx';
import { InboxPane } from '../inbox/inbox-pane.tsx';
import { Icon } from '../parts/icon.tsx';
import type { Person } from '../state/person.ts';

const tabs = [
  ['chats', 'chats', 'Chats'],
  ['groups', 'group', 'Groups'],
  ['businesses', 'business', 'Businesses'],
] as const;

export const ListPane = ({ person }: { person: Person }) => (
  <div class="pane list-pane">
    <nav class="places" aria-label={`Lists of ${person.identity.username}`}>
      {tabs.map(([tab, icon, title]) => (
        <button
          key={tab}
          type="button"
          aria-pressed={person.tab.value === tab}
          onClick={() => {
            person.tab.value = tab;
          }}
        >
          <Icon name={icon} /> {title}
        </button>
      ))}
    </nav>
    {person.tab.value === 'chats' && <InboxPane person={person} />}
    {person.tab.value === 'groups' && <GroupsPane person={person} />}
    {person.tab.value === 'businesses' && <BusinessPane person={person} />}
  </div>
);
