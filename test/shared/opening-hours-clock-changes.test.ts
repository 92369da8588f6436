import { expect, test } from '@jest/globals';
import type { BusinessRecord } from '../../shared/contract/business/business.ts';
import { getOpening } from '../../shared/opening-hours.ts';
import { takeSample } from '../support/setup/sample-size.ts';

/** All times are in minutes since 1970: instants in UTC, local times as clocks show them. */
const hour = 60;
const day = 24 * hour;
const toMinutes = (text: string) => Date.parse(text) / 60_000;
const [begin, end] = [toMinutes('2020-01-01T00:00Z'), toMinutes('2030-01-01T00:00Z')];

const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

/**
 * Creates a function that returns a zone's UTC offset in minutes, parsed from the platform's text,
 * such as GMT+05:45.
 */
function createOffsetReader(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (instant: number): number => {
    const [, sign, hours, minutes] =
      /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(format.format(instant * 60_000)) ?? [];
    const size = Number(hours ?? 0) * hour + Number(minutes ?? 0);
    return sign === '-' ? -size : size;
  };
}

interface ClockChange {
  at: number;
  before: number;
  after: number;
}

/**
 * Returns a zone's clock changes over ten years. Assumes that the changes are at least three days
 * apart.
 */
function findClockChanges(timeZone: string): ClockChange[] {
  const getOffset = createOffsetReader(timeZone);
  const changes: ClockChange[] = [];
  for (let from = begin; from < end; from += 3 * day) {
    const [before, after] = [getOffset(from), getOffset(from + 3 * day)];
    if (before === after) continue;
    let [low, high] = [from, from + 3 * day];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (getOffset(middle) === before) low = middle;
      else high = middle;
    }
    changes.push({ at: high, before, after });
  }
  return changes;
}

/**
 * Returns the instants at which clocks show the local time. Searches from two days before to two
 * days after the change.
 */
const findInstants = ({ at, before, after }: ClockChange, local: number): number[] =>
  Array.from({ length: 4 * day }, (_, n) => at - 2 * day + n).filter(
    (instant) => instant + (instant < at ? before : after) === local,
  );

/**
 * Returns local times before, during and after the period that clocks skip or repeat, including the
 * period's start and end.
 */
function toTimesNear({ at, before, after }: ClockChange): number[] {
  const [first, last] = [at + Math.min(before, after), at + Math.max(before, after)];
  return [first - 90, first, Math.floor((first + last) / 2), last, last + 90];
}

const closed = {
  ...{ monday: null, tuesday: null, wednesday: null, thursday: null },
  ...{ friday: null, saturday: null, sunday: null },
};
const toTime = (local: number) => ({
  hour: Math.floor((local % day) / hour),
  minute: local % hour,
});

function toWorkTime(open: number, close: number): BusinessRecord['work_time'] {
  const weekday = weekdays[new Date(open * 60_000).getUTCDay()] ?? 'sunday';
  return { ...closed, [weekday]: [{ open: toTime(open), close: toTime(close) }] };
}

/** Returns the cases near a clock change in which `getOpening` is wrong. */
function findFaults(timezone: string, change: ClockChange): object[] {
  const times = toTimesNear(change).map((local) => {
    const instants = findInstants(change, local);
    return { local, first: instants[0] ?? change.at, last: instants.at(-1) ?? change.at };
  });
  return times.flatMap((open, n) =>
    times.slice(n + 1).flatMap((close) => {
      const work_time = toWorkTime(open.local, close.local);
      const [from, to] = [open.first, close.last];
      const samples = [from - 1, from, Math.floor((from + to) / 2), to - 1, to];
      return samples.flatMap((now) => {
        const opening = getOpening({ work_time, timezone }, now * 60);
        const isOpen = from <= now && now < to;
        // If the clock skips the opening hours entirely, the business does not open.
        const opensNext = from < to && now < from ? from * 60 : undefined;
        const isRight =
          opening?.open_now === isOpen &&
          (isOpen
            ? opening.closes_at === to * 60
            : opensNext === undefined || opening.opens_at === opensNext);
        return isRight ? [] : [{ timezone, change, open, close, now, opening }];
      });
    }),
  );
}

test('Near each clock change in ten years, getOpening uses the first occurrence of the opening time, the last occurrence of the closing time, and the change itself for a skipped time', () => {
  const seen = new Set<string>();
  const changes = takeSample(Intl.supportedValuesOf('timeZone'), 12).flatMap((timezone) => {
    const all = findClockChanges(timezone);
    const text = JSON.stringify(all);
    // If an earlier zone has the same clock changes, tests only two changes of this zone.
    const tested = seen.has(text) ? all.slice(0, 2) : all;
    seen.add(text);
    return tested.map((change) => ({ timezone, change }));
  });
  expect(changes.length).toBeGreaterThan(100);
  expect(
    changes.flatMap(({ timezone, change }) => findFaults(timezone, change)).slice(0, 3),
  ).toEqual([]);
});
