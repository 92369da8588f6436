import { useSignal } from '@preact/signals';
import { toVariableAssignments } from '../network/curl-command.ts';
import { clearTraffic, type Side, traffic } from '../network/traffic.ts';
import { Code } from '../parts/code.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { Segments } from '../parts/segments.tsx';
import { people, sides } from '../state/people.ts';
import { EntryRow } from './entry-row.tsx';

/** What went over the network: each request as curl, with what came of it, and each push. */
export function RequestsPanel() {
  const shown = useSignal<Side | 'both'>('both');
  const options = [
    ['both', 'Both'],
    ...sides.map((side) => [side, people[side].value.identity.username] as const),
  ] as const;
  const entries = traffic.value.filter(
    ({ side }) => shown.value === 'both' || side === shown.value,
  );
  const variables = toVariableAssignments(
    location.origin,
    sides.map((side) => {
      const { variable, identity: who } = people[side].value;
      return { name: variable, contactId: who.id, username: who.username, groups: who.groups };
    }),
  );
  return (
    <section class="requests" aria-label="Requests">
      <header class="requests-head">
        <h2>Requests</h2>
        <IconButton icon="trash" label="Clear the requests" onClick={clearTraffic} />
      </header>
      <div class="list-tools">
        <Segments
          label="Whose requests"
          options={options}
          chosen={shown.value}
          onChoose={(side) => {
            shown.value = side;
          }}
        />
      </div>
      <details class="variables">
        <summary>The variables of the commands</summary>
        <p class="muted">In the folder of the project, once:</p>
        <Code label="The variables" text={variables} />
        <CopyButton text={variables} label="Copy" />
      </details>
      <div class="scroll">
        {entries.length === 0 ? (
          <p class="empty-chat">Nothing was asked yet.</p>
        ) : (
          <ol class="entries" aria-label="Requests and pushes, the newest first">
            {entries.map((entry) => (
              <EntryRow key={entry.number} entry={entry} />
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}
