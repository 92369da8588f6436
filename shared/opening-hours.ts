import { createBoundedCache } from './bounded-cache.ts';
import { clock, toSeconds } from './clock.ts';
import type { BusinessRecord } from './contract/business/business.ts';
import type { BusinessExpansion, Opening } from './contract/business/opening.ts';

type Hours = Pick<BusinessRecord, 'work_time' | 'timezone'>;

const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

const minute = 60;
const day = 24 * 60 * minute;
/** Number of days to search for the next change. */
const horizonDays = 8;

/** Returns the expanded fields of a listing; `undefined` if no expansion is requested. */
export const expandBusiness = (
  business: BusinessRecord,
  expansions: readonly BusinessExpansion[],
): { opening: Opening | null } | undefined =>
  expansions.includes('opening')
    ? { opening: getOpening(business, toSeconds(clock.now())) }
    : undefined;

/**
 * Returns whether a business is open at `now` (Unix seconds), and the next change within eight
 * days; null if it has no hours or no supported time zone. If `close` is at or before `open`, the
 * business closes on the next day. If a clock change skips a time, the time of the change applies.
 * If a time occurs twice, the business opens at the first occurrence and closes at the last.
 */
export function getOpening({ work_time, timezone }: Hours, now: number): Opening | null {
  const getOffset = timezone === null ? undefined : getOffsetReader(timezone);
  if (!work_time || !getOffset) return null;
  const today = Math.floor((now + getOffset(now)) / day);
  const spans = Array.from({ length: horizonDays + 2 }, (_, n) => today - 1 + n).flatMap((date) =>
    (work_time[weekdays[new Date(date * day * 1000).getUTCDay()] ?? 'sunday'] ?? []).map(
      ({ open, close }) => {
        const [opens, closes] = [toSecondsOfDay(open), toSecondsOfDay(close)];
        const end = closes > opens ? closes : closes + day;
        return {
          from: toInstants(date * day + opens, getOffset).first,
          to: toInstants(date * day + end, getOffset).last,
        };
      },
    ),
  );
  const merged = mergeSpans(spans);
  const end = now + horizonDays * day;
  const current = merged.find(({ from, to }) => from <= now && now < to);
  const next = merged.find(({ from }) => from > now && from <= end);
  return {
    open_now: current !== undefined,
    closes_at: current && current.to <= end ? current.to : null,
    opens_at: current ? null : (next?.from ?? null),
  };
}

interface Span {
  from: number;
  to: number;
}

/** Sorts the spans, and merges spans that overlap or touch. */
function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else if (to > from) merged.push({ from, to });
  }
  return merged;
}

const toSecondsOfDay = (time: { hour: number; minute: number }) =>
  (time.hour * 60 + time.minute) * minute;

type OffsetReader = (instant: number) => number;

/**
 * Converts a local time to the first and the last instant at which clocks show that time. If a
 * clock change skips the time, both instants are the time of the change.
 */
function toInstants(local: number, getOffset: OffsetReader): { first: number; last: number } {
  const [before, after] = [getOffset(local - day), getOffset(local + day)];
  if (before === after) return { first: local - before, last: local - before };
  const candidates = [local - before, local - after].filter(
    (instant) => instant + getOffset(instant) === local,
  );
  if (candidates.length > 0)
    return { first: Math.min(...candidates), last: Math.max(...candidates) };
  const change = findChange(local - after, local - before, getOffset);
  return { first: change, last: change };
}

/** Returns the first second with the new offset. */
function findChange(from: number, to: number, getOffset: OffsetReader): number {
  let [low, high] = [Math.min(from, to), Math.max(from, to)];
  const offset = getOffset(low);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (getOffset(middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}

/** Maximum number of cached zones; more than the number of existing time zones. */
const maxZones = 1000;
const offsetReaders = createBoundedCache<OffsetReader>(maxZones);

function getOffsetReader(timeZone: string): OffsetReader | undefined {
  const known = offsetReaders.get(timeZone) ?? createOffsetReader(timeZone);
  if (known) offsetReaders.set(timeZone, known);
  return known;
}

/** Returns a function that reads a zone's offset in seconds; `undefined` for an unknown zone. */
function createOffsetReader(timeZone: string): OffsetReader | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    return (instant) => {
      const parts = Object.fromEntries(
        format.formatToParts(instant * 1000).map(({ type, value }) => [type, Number(value)]),
      );
      const {
        year = 0,
        month = 1,
        day: date = 1,
        hour = 0,
        minute: minutes = 0,
        second = 0,
      } = parts;
      return Date.UTC(year, month - 1, date, hour, minutes, second) / 1000 - instant;
    };
  } catch {
    return undefined;
  }
}
