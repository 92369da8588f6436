import { useSignal } from '@preact/signals';
import { toVariableAssignments } from '../network/curl-command.ts';
import { groupTraffic } from '../network/group-traffic.ts';
import { clearTraffic, type Side, traffic } from '../network/traffic.ts';
import { Code } from '../parts/code.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { Segments } from '../parts/segments.tsx';
import { people, sides } from '../state/people.ts';
import { GroupRow } from './group-row.tsx';

export function RequestsPanel() {
  const shown = useSignal<Side | 'both'>('both');
  const options = [
    ['both', 'Both'],
    ...sides.map((side) => [side, people[side].value.identity.username] as const),
  ] as const;
  const groups = groupTraffic(traffic.value).filter(
    ({ entries }) => shown.value === 'both' || entries.some(({ side }) => side === shown.value),
  );
  const variables = toVariableAssignments(
    location.origin,
    sides.map((side) => {
      const { variable, identity } = people[side].value;
      return {
        name: variable,
        contactId: identity.id,
        username: identity.username,
        groups: identity.groups,
      };
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
          label="User"
          options={options}
          chosen={shown.value}
          onChoose={(side) => {
            shown.value = side;
          }}
        />
      </div>
      <details class="variables">
        <summary>Variables in the commands</summary>
        <p class="muted">Run these commands once in the project's folder:</p>
        <Code label="Variables" text={variables} />
        <CopyButton text={variables} label="Copy" />
      </details>
      <div class="scroll">
        {groups.length === 0 ? (
          <p class="empty-chat">No requests yet.</p>
        ) : (
          <ol aria-label="Actions, newest first">
            {groups.map((group) => (
              <GroupRow key={group.number} group={group} />
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}
