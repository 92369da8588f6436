import type { TrafficGroup } from '../network/group-traffic.ts';
import type { Entry, Side } from '../network/traffic.ts';
import { formatCount, formatTimeOfDate } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { people, sides } from '../state/people.ts';
import { EntryRow } from './entry-row.tsx';

export function GroupRow({ group: { side, action, entries } }: { group: TrafficGroup }) {
  const [first] = entries;
  const failure = entries.map(getFailure).find((one) => one !== undefined);
  return (
    <li class="action" data-side={side}>
      <details>
        <summary>
          <span class="entry-who" />
          <span class="action-text">
            <span class="action-title">
              {getUsername(side)} {action}
            </span>
            <span class="action-counts">{describeCounts(entries)}</span>
          </span>
          {failure !== undefined && <span class="action-failure">{failure}</span>}
          {first && <time class="action-time">{formatTimeOfDate(first.at)}</time>}
          <Icon name="down" />
        </summary>
        <ol class="entries">
          {entries.map((entry) => (
            <EntryRow key={entry.number} entry={entry} />
          ))}
        </ol>
      </details>
    </li>
  );
}

const getUsername = (side: Side): string => people[side].value.identity.username;

/** Returns text such as `1 request; Ann receives 1 event; Bob receives 2 events`. */
function describeCounts(entries: readonly Entry[]): string {
  const requests = entries.filter(({ kind }) => kind === 'request').length;
  const pushes = sides.flatMap((side) => {
    const count = entries.filter((one) => one.kind === 'push' && one.side === side).length;
    return count > 0 ? [`${getUsername(side)} receives ${formatCount(count, 'event')}`] : [];
  });
  return [...(requests > 0 ? [formatCount(requests, 'request')] : []), ...pushes].join('; ');
}

function getFailure(entry: Entry): string | undefined {
  if (entry.kind === 'push' || entry.outcome === undefined) return undefined;
  const { status } = entry.outcome;
  if (status === 'none') return 'no reply';
  return status >= 400 ? String(status) : undefined;
}
