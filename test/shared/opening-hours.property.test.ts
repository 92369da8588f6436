import { describe, expect, test } from '@jest/globals';
import type { BusinessRecord } from '../../shared/contract/business/business.ts';
import { getOpening } from '../../shared/opening-hours.ts';
import fc from '../support/setup/fast-check.ts';
import { selectSize } from '../support/setup/sample-size.ts';

type WorkTime = NonNullable<BusinessRecord['work_time']>;

const weekdays: readonly string[] = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
];
const closed: WorkTime = {
  ...{ monday: null, tuesday: null, wednesday: null, thursday: null },
  ...{ friday: null, saturday: null, sunday: null },
};
const at = (text: string) => Date.parse(text) / 1000;
const hours = (open: string, close: string) => {
  const toTime = (text: string) => {
    const [hour = 0, minute = 0] = text.split(':').map(Number);
    return { hour, minute };
  };
  return { open: toTime(open), close: toTime(close) };
};

interface Expected {
  open_now: boolean;
  closes_at?: string;
  opens_at?: string;
}

describe('Opening hours', () => {
  const work_time: WorkTime = {
    ...closed,
    monday: [hours('9:00', '13:00'), hours('14:00', '18:00')],
    tuesday: [hours('20:00', '2:00')],
  };

  test.each<[string, string, Expected]>([
    ['between two ranges', '2026-11-23T12:30Z', { open_now: false, opens_at: '2026-11-23T13:00Z' }],
    ['within a range', '2026-11-23T11:59Z', { open_now: true, closes_at: '2026-11-23T12:00Z' }],
    [
      'after midnight, within the previous day’s range',
      '2026-11-25T00:30Z',
      { open_now: true, closes_at: '2026-11-25T01:00Z' },
    ],
    [
      'on days without hours',
      '2026-11-25T02:00Z',
      { open_now: false, opens_at: '2026-11-30T08:00Z' },
    ],
  ])(
    'show whether a business is open and when that changes: %s',
    (_, now, { open_now, closes_at, opens_at }) => {
      expect(getOpening({ work_time, timezone: 'Europe/Berlin' }, at(now))).toEqual({
        open_now,
        closes_at: closes_at === undefined ? null : at(closes_at),
        opens_at: opens_at === undefined ? null : at(opens_at),
      });
    },
  );

  test('are reported as null if the business has no hours, no time zone, or an unknown time zone', () => {
    const now = at('2026-11-23T12:00Z');
    expect(getOpening({ work_time: null, timezone: 'Europe/Berlin' }, now)).toBeNull();
    expect(getOpening({ work_time, timezone: null }, now)).toBeNull();
    expect(getOpening({ work_time, timezone: 'Middle/Earth' }, now)).toBeNull();
  });

  test('that fill the week have no closing time, and empty opening hours have no opening time', () => {
    const always = [hours('0:00', '24:00')];
    const everyDay = Object.fromEntries(weekdays.map((one) => [one, always]));
    const now = at('2026-11-23T12:00Z');
    const timezone = 'Asia/Kathmandu';
    expect(getOpening({ work_time: { ...closed, ...everyDay }, timezone }, now)).toEqual({
      open_now: true,
      closes_at: null,
      opens_at: null,
    });
    expect(getOpening({ work_time: closed, timezone }, now)).toEqual({
      open_now: false,
      closes_at: null,
      opens_at: null,
    });
  });

  test('match the local clock in any time zone, except within a day of a clock change', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const time = fc.record({ hour: fc.nat({ max: 23 }), minute: fc.constantFrom(0, 15, 30, 59) });
    const ranges = fc.option(fc.array(fc.record({ open: time, close: time }), { maxLength: 3 }));
    const week = fc.tuple(ranges, ranges, ranges, ranges, ranges, ranges, ranges);
    const begin = at('2020-01-01T00:00Z');
    const instant = fc.integer({ min: 0, max: 10 * 366 * 1440 }).map((n) => begin + n * 60);
    fc.assert(
      fc.property(fc.constantFrom(...zones), week, instant, (timezone, days, now) => {
        const work = Object.fromEntries(weekdays.map((name, n) => [name, days[n] ?? null]));
        const opening = getOpening({ work_time: { ...closed, ...work }, timezone }, now);
        if (opening === null) throw new Error(`${timezone} is unknown.`);
        const isOpen = (then: number) => isOpenByClock(days, timezone, then);
        const { open_now, closes_at, opens_at } = opening;
        const change = closes_at ?? opens_at;
        const samples = [
          now,
          ...[0.3, 0.7].map(
            (share) => Math.floor((now + share * ((change ?? now + 8 * 86_400) - now)) / 60) * 60,
          ),
        ].filter((then) => then >= now && !isNearChange(timezone, then));
        expect(samples.map(isOpen)).toEqual(samples.map(() => open_now));
        if (change !== null && !isNearChange(timezone, change)) {
          expect([isOpen(change - 60), isOpen(change)]).toEqual([open_now, !open_now]);
        }
      }),
      { numRuns: selectSize(300, 5000) },
    );
  });
});

const formats = new Map<string, Intl.DateTimeFormat>();

function readClock(timeZone: string, instant: number) {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      ...{ weekday: 'long', hour: 'numeric', minute: 'numeric' },
    });
  formats.set(timeZone, format);
  const parts = format.formatToParts(instant * 1000);
  const find = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const weekday = weekdays.indexOf(find('weekday').toLowerCase());
  return { weekday, minutes: Number(find('hour')) * 60 + Number(find('minute')) };
}

type Days = readonly (readonly ReturnType<typeof hours>[] | null)[];

/**
 * Reports whether the local time is within today's hours, or within the part of yesterday's hours
 * after midnight.
 */
function isOpenByClock(days: Days, timeZone: string, instant: number): boolean {
  const { weekday, minutes } = readClock(timeZone, instant);
  const toMinutes = ({ hour, minute }: { hour: number; minute: number }) => hour * 60 + minute;
  const inRange = (isYesterday: boolean) =>
    (days[(weekday + (isYesterday ? 6 : 0)) % 7] ?? []).some(({ open, close }) => {
      const [from, to] = [toMinutes(open), toMinutes(close)];
      if (to > from) return !isYesterday && from <= minutes && minutes < to;
      return isYesterday ? minutes < to : minutes >= from;
    });
  return inRange(false) || inRange(true);
}

/**
 * Reports whether the zone's UTC offset changes within a day of the instant. If the offset changes,
 * two results are correct.
 */
function isNearChange(timeZone: string, instant: number): boolean {
  const offsets = [-86_400, 0, 86_400].map((shift) => {
    const { weekday, minutes } = readClock(timeZone, instant + shift);
    return (weekday * 1440 + minutes - shift / 60 + 7 * 1440) % (7 * 1440);
  });
  return new Set(offsets).size > 1;
}
