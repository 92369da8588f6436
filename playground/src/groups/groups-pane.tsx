import { useSignal } from '@preact/signals';
import type { Group } from '../../../client/src/index.ts';
import { Avatar } from '../parts/avatar.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { formatCount } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { moveFocus } from '../parts/move-focus.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import type { Person } from '../state/person.ts';
import { NewGroup } from './new-group.tsx';

/** Shows the user groups to which the user belongs. Omits the token's groups. */
export function GroupsPane({ person }: { person: Person }) {
  const isNewShown = useSignal(false);
  const { status, error, groups } = person.groups.value;
  return (
    <>
      <div class="list-tools">
        <p class="muted">Groups that users create</p>
        <button
          type="button"
          class="button primary"
          aria-haspopup="dialog"
          onClick={() => {
            isNewShown.value = true;
          }}
        >
          New group
        </button>
      </div>
      <div class="scroll" aria-busy={status === 'loading'}>
        {status === 'loading' && <Skeleton rows={3} />}
        {status === 'failed' && <ErrorNote title="The groups were not loaded." error={error} />}
        {status === 'ready' && groups.length === 0 && (
          <div class="empty">
            <Icon name="group" />
            <p>No groups yet.</p>
          </div>
        )}
        <ul class="rows" aria-label="Groups" onKeyDown={(event) => moveFocus(event, '.row')}>
          {groups.map((group) => (
            <GroupRow key={group.id} person={person} group={group} />
          ))}
        </ul>
      </div>
      {isNewShown.value && (
        <NewGroup
          person={person}
          onClose={() => {
            isNewShown.value = false;
          }}
        />
      )}
    </>
  );
}

const GroupRow = ({ person, group }: { person: Person; group: Group }) => (
  <li>
    <button
      type="button"
      class="row"
      aria-haspopup="dialog"
      onClick={() => {
        person.shownGroupId.value = group.id;
      }}
    >
      <Avatar id={group.id} name={group.title} group />
      <span class="row-text">
        <span class="row-name">{group.title}</span>
        <span class="row-preview">{formatCount(group.member_count, 'member')}</span>
      </span>
    </button>
  </li>
);
