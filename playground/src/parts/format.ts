const language = 'en-GB';

const toDate = (seconds: number) => new Date(seconds * 1000);

export const formatTime = (seconds: number): string =>
  toDate(seconds).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });

export const formatTimeOfDate = (date: Date): string => date.toLocaleTimeString(language);

export const toIsoString = (seconds: number): string => toDate(seconds).toISOString();

/** Returns the number of calendar days since the date, in local time. */
const countDaysSince = (date: Date): number => {
  const midnight = (day: Date) => new Date(day).setHours(0, 0, 0, 0);
  return Math.round((midnight(new Date()) - midnight(date)) / 86_400_000);
};

/** Formats a date as `Today`, `Yesterday`, `Friday`, `3 March` or `3 March 2025`. */
export function formatDay(seconds: number): string {
  const date = toDate(seconds);
  const days = countDaysSince(date);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days > 1 && days < 7) return date.toLocaleDateString(language, { weekday: 'long' });
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleDateString(language, {
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
}

export const formatTimestamp = (seconds: number): string =>
  countDaysSince(toDate(seconds)) === 0 ? formatTime(seconds) : formatDay(seconds);

/** Returns a size such as `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export const formatCount = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
