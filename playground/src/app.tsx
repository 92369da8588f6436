import { layout } from './layout.ts';
import { NarrowTabs } from './narrow-tabs.tsx';
import { PersonPanel } from './people/person-panel.tsx';
import { RequestsPanel } from './requests/requests-panel.tsx';
import { people, sides } from './state/people.ts';
import { TopBar } from './top-bar.tsx';
import { TourSteps } from './tour-steps.tsx';

export const App = () => (
  <div
    class="app"
    data-shown={layout.narrowView.value}
    data-requests={layout.areRequestsShown.value ? 'shown' : 'hidden'}
  >
    <div class="top">
      <TopBar />
      <TourSteps />
    </div>
    <main class="content">
      <div class="sides">
        {sides.map((side) => {
          const person = people[side].value;
          return <PersonPanel key={`${side} ${person.number}`} person={person} />;
        })}
      </div>
      <RequestsPanel />
    </main>
    <NarrowTabs />
  </div>
);
