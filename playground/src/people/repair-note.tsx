import type { Event } from '../../../client/src/index.ts';
import type { Person } from '../data/person.ts';
import { clock, count } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { IconButton } from '../parts/icon-button.tsx';

/** That the network is cut; and once it is back, what the feed has told of the time without. */
export function RepairNote({ person }: { person: Person }) {
  const repair = person.repair.value;
  if (!repair) return null;
  const { state, cutAt, mendedAt, events } = repair;
  if (state === 'cut') {
    return (
      <div class="note offline-note" role="status">
        <Icon name="offline" />
        <div class="note-text">
          <p class="note-title">{person.who.username} hears nothing.</p>
          <p>What happens now is missed by the push. The feed keeps it for 30 days.</p>
        </div>
      </div>
    );
  }
  const seconds = Math.round(((mendedAt ?? cutAt) - cutAt) / 1000);
  return (
    <div class="note repair-note" role="status">
      <Icon name={state === 'done' ? 'check' : 'reload'} />
      <div class="note-text">
        <p class="note-title">
          {state === 'done' ? 'Complete again' : 'Catching up'} after {count(seconds, 'second')}{' '}
          without network.
        </p>
        <p>
          {events.length > 0
            ? `The feed told of ${count(events.length, 'event')}:`
            : state === 'done' && 'The feed says that nothing was missed.'}
        </p>
        {events.length > 0 && (
          <ul class="repaired">
            {events.map((event) => (
              <li key={event.id}>
                <code>{event.type}</code> <span class="muted">{clock(event.created_at)}</span>{' '}
                {textOf(event)}
              </li>
            ))}
          </ul>
        )}
      </div>
      <IconButton icon="close" label="Dismiss" onClick={person.dismissRepair} />
    </div>
  );
}

/** What a person knows it by. */
function textOf({ payload }: Event): string {
  if (payload === null) return '';
  if ('message' in payload) return `“${payload.message}”`;
  return '';
}
