import OpeningHours from 'opening_hours';

/** Opening hours as OpenStreetMap publishes them: https://wiki.openstreetmap.org/wiki/Key:opening_hours */
const days = [
  'Mo-Fr',
  'Mo-Su',
  'Tu-Su',
  'Mo,We,Fr',
  'Sa,Su',
  'We-Mo',
  'Su-Th',
  'Mo-Fr,Su',
  'mo-sa',
  'Mo–Fr',
  'Mo-Su,PH',
  'Mo - Th',
  '',
];
const times = [
  '09:00-18:00',
  '9:00-17:00',
  '08:00-12:00,13:30-18:00',
  '12:00-14:30, 18:00-22:30',
  '06:30-10:00,11:00-14:00,17:00-21:00',
  '22:00-05:00',
  '18:00-02:00',
  '18:00-26:00',
  '00:00-24:00',
  '00:00-23:59',
  '17:00-24:00',
  '11:30-00:00',
  '10-18',
  '08.00-16.30',
  '08:00-08:00',
  '7:00 am-9:00 pm',
  'off',
];
const otherRules = [
  '',
  '; Sa 10:00-14:00',
  '; Sa,Su off',
  '; Su 11:00-16:00; PH off',
  ', Fr 20:00-23:00',
  '; We 13:00-17:00 "by appointment"',
];
const wholeValues = [
  '24/7',
  '24/7; Su off',
  'off',
  '"by appointment"',
  'Mo-Fr 09:00-17:00 || "on call"',
  'Apr-Oct Mo-Su 10:00-19:00; Nov-Mar Sa,Su 11:00-16:00',
  'Jun-Aug: Mo-Su 09:00-21:00',
  'week 01-53 Mo-Fr 08:00-16:00',
  'Mo 00:00-24:00; Tu-Th 06:00-24:00; Fr-Su 00:00-24:00',
  'Fr 18:00-24:00; Sa 00:00-24:00; Su 00:00-06:00',
  'Mo-Fr 08:00-17:00; Dec 25 off; Jan 01 off',
];

export const publishedHours = [
  ...wholeValues,
  ...days.flatMap((day) =>
    times.flatMap((time) => otherRules.map((rules) => `${day} ${time}${rules}`.trim())),
  ),
];

const anywhere = { lat: 52.5, lon: 13.4, address: { country_code: 'de', state: 'Berlin' } };
const minute = 60_000;
const day = 24 * 60 * minute;

const parse = (value: string) => new OpeningHours(value, anywhere);

/** A local time without zone, as the time in UTC with the same figures. */
export type LocalTime = number;

/** The package reads and returns dates in the zone of the process. */
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

/** Returns whether published hours are open at a time, and when that changes within eight days. */
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

/** Returns the `work_time` of a week that begins on a Monday at 00:00. */
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

/** Splits hours of more than a day at midnight. */
function splitLongHours(from: LocalTime, to: LocalTime): [LocalTime, LocalTime][] {
  if (to - from <= day) return [[from, to]];
  const midnight = from - (from % day) + day;
  return [[from, midnight], ...splitLongHours(midnight, to)];
}

const toTimeOfDay = (local: LocalTime) => ({
  hour: new Date(local).getUTCHours(),
  minute: new Date(local).getUTCMinutes(),
});
