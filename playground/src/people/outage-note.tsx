import type { Event } from '../../../client/src/index.ts';
import { formatCount, formatTime } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import type { Person } from '../state/person.ts';

/**
 * Shows that the network is cut. After the network is restored, shows the events that the feed
 * returned.
 */
export function OutageNote({ person }: { person: Person }) {
  const outage = person.outage.value;
  if (!outage) return null;
  const { state, cutAt, restoredAt, events } = outage;
  if (state === 'cut') {
    return (
      <div class="note offline-note" role="status">
        <Icon name="offline" />
        <div class="note-text">
          <p class="note-title">{person.identity.username} is offline.</p>
          <p>The client receives no pushes. The feed retains every event for at least 30 days.</p>
        </div>
      </div>
    );
  }
  const seconds = Math.round(((restoredAt ?? cutAt) - cutAt) / 1000);
  return (
    <div class="note repair-note" role="status">
      <Icon name={state === 'done' ? 'check' : 'reload'} />
      <div class="note-text">
        <p class="note-title">
          {state === 'done' ? 'Up to date' : 'Catching up'} after {formatCount(seconds, 'second')}{' '}
          without a network.
        </p>
        <p>
          {events.length > 0
            ? `The feed returned ${formatCount(events.length, 'event')}:`
            : state === 'done' && 'The feed has no missed events.'}
        </p>
        {events.length > 0 && (
          <ul class="repaired">
            {events.map((event) => (
              <li key={event.id}>
                <code>{event.type}</code> <span class="muted">{formatTime(event.created_at)}</span>{' '}
                {getEventText(event)}
              </li>
            ))}
          </ul>
        )}
      </div>
      <IconButton icon="close" label="Dismiss" onClick={person.dismissOutage} />
    </div>
  );
}

function getEventText({ payload }: Event): string {
  if (payload === null) return '';
  if ('message' in payload) return `“${payload.message}”`;
  return '';
}
