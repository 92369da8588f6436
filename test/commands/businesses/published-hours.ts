import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import OpeningHours from 'opening_hours';

const file = join(import.meta.dirname, 'openstreetmap-hours.txt');

/** Values of OpenStreetMap's tag opening_hours: https://wiki.openstreetmap.org/wiki/Key:opening_hours */
export const publishedHours = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const location = { lat: 52.5, lon: 13.4, address: { country_code: 'de', state: 'Berlin' } };
const minute = 60_000;
const day = 24 * 60 * minute;

const parsed = new Map<string, OpeningHours>();

function parse(value: string): OpeningHours {
  const hours = parsed.get(value) ?? new OpeningHours(value, location);
  parsed.set(value, hours);
  return hours;
}

export function isReadable(value: string): boolean {
  try {
    parse(value);
    return true;
  } catch {
    return false;
  }
}

/** A local time, as the UTC timestamp in milliseconds with the same date and time of day. */
export type LocalTime = number;

/** Converts a local time to a `Date` in the process's time zone, which the package uses. */
const toDate = (local: LocalTime) => {
  const date = new Date(local);
  return new Date(
    ...([date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()] as const),
    ...([date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()] as const),
  );
};
const toLocalTime = (date: Date): LocalTime =>
  Date.UTC(
    ...([date.getFullYear(), date.getMonth(), date.getDate()] as const),
    ...([date.getHours(), date.getMinutes(), date.getSeconds()] as const),
  );

/**
 * Returns whether a business with these hours is open at a time. `change` is the time of the next
 * change, or null if there is none within eight days.
 */
export function judgeOpening(value: string, now: LocalTime) {
  const hours = parse(value);
  const isOpen = (date: Date) => hours.getState(date);
  const end = toDate(now + 8 * day);
  const wasOpen = isOpen(toDate(now));
  let change = hours.getNextChange(toDate(now), end);
  while (change && isOpen(change) === wasOpen) change = hours.getNextChange(change, end);
  return { isOpen: wasOpen, change: change && change <= end ? toLocalTime(change) : null };
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Converts published hours to the `work_time` of the week that begins at `monday`. */
export function toWorkTime(value: string, monday: LocalTime) {
  const workTime: Record<string, { open: object; close: object }[]> = {};
  const intervals = parse(value).getOpenIntervals(toDate(monday - day), toDate(monday + 9 * day));
  for (const [from, to, isUnknown] of intervals) {
    if (isUnknown) continue;
    for (const [open, close] of splitLongHours(toLocalTime(from), toLocalTime(to))) {
      if (open < monday || open >= monday + 7 * day) continue;
      const name = weekdays[new Date(open).getUTCDay()] ?? '';
      workTime[name] = [
        ...(workTime[name] ?? []),
        { open: toTimeOfDay(open), close: toTimeOfDay(close) },
      ];
    }
  }
  return workTime;
}

/** Splits an interval of more than a day at every midnight. */
function splitLongHours(from: LocalTime, to: LocalTime): [LocalTime, LocalTime][] {
  if (to - from <= day) return [[from, to]];
  const midnight = from - (from % day) + day;
  return [[from, midnight], ...splitLongHours(midnight, to)];
}

const toTimeOfDay = (local: LocalTime) => ({
  hour: new Date(local).getUTCHours(),
  minute: new Date(local).getUTCMinutes(),
});
