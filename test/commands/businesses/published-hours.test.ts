import { expect, test } from '@jest/globals';
import { importBusinesses } from '../../../commands/businesses/import-businesses.ts';
import { listBusinesses } from '../../../shared/contract/operations.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { ann } from '../../support/people/callers.ts';
import { businessTable as table } from '../../support/seeds/seed-businesses.ts';
import { takeSample } from '../../support/setup/sample-size.ts';
import {
  isReadable,
  judgeOpening,
  type LocalTime,
  publishedHours,
  toWorkTime,
} from './published-hours.ts';
import { writeTemporaryFile } from './temporary-file.ts';
import '../../support/setup/use-table.ts';

const allHours = takeSample(publishedHours, 5);
const hour = 3_600_000;
/** Start of a week without a clock change in any of the time zones. */
const monday: LocalTime = Date.UTC(2026, 5, 15);

const timeZones = [
  { timezone: 'Europe/Berlin', offset: 2 },
  { timezone: 'America/New_York', offset: -4 },
  { timezone: 'Asia/Kathmandu', offset: 5.75 },
  { timezone: 'Pacific/Kiritimati', offset: 14 },
  { timezone: 'America/St_Johns', offset: -2.5 },
];
const titles = [
  'Bäckerei “Zum Löwen” 🥨',
  'مقهى النيل',
  '東京ラーメン',
  "O'Hara & Söhne <Bar>",
  ' ',
];

const listings = allHours.map((hours, n) => ({
  public_id: `place-${String(n).padStart(4, '0')}`,
  title: titles[n % titles.length],
  description: hours,
  status: 'active',
  timezone: timeZones[n % timeZones.length]?.timezone,
  ...(isReadable(hours) && { work_time: toWorkTime(hours, monday) }),
}));

async function readOpenings() {
  const found = [];
  for (let last: string | undefined; ; ) {
    const query = { limit: '100', 'expand[]': 'opening', ...(last && { starting_after: last }) };
    const { data, has_more } = await ok(listBusinesses, { as: ann, query });
    found.push(...data.map(({ opening }) => opening));
    const end = data.at(-1);
    if (!has_more || !end || !('public_id' in end)) return found;
    last = end.public_id;
  }
}

test('Imported businesses open and close at the times that the opening_hours package calculates', async () => {
  const time = createVirtualClock();
  const file = writeTemporaryFile(JSON.stringify(listings));
  expect(await importBusinesses({ file, table })).toEqual({
    faults: [],
    saved: { new: listings.length, changed: 0, unchanged: 0 },
  });
  expect(publishedHours.filter(isReadable).length).toBeGreaterThan(1000);
  for (let at = monday + 61 * 60_000; at < monday + 168 * hour; at += 53 * hour) {
    time.pass(at - time.now());
    const expected = allHours.map((hours, n) => {
      if (!isReadable(hours)) return { hours, opening: null };
      const offset = (timeZones[n % timeZones.length]?.offset ?? 0) * hour;
      const { isOpen, change } = judgeOpening(hours, at + offset);
      const changes_at = change === null ? null : (change - offset) / 1000;
      const opening = {
        open_now: isOpen,
        closes_at: isOpen ? changes_at : null,
        opens_at: isOpen ? null : changes_at,
      };
      return { hours, opening };
    });
    const found = (await readOpenings()).map((opening, n) => ({
      hours: allHours[n],
      opening,
    }));
    expect(found).toEqual(expected);
  }
});
