import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../../shared/clock.ts';
import { resetUsage, usage } from '../../../../shared/log/usage.ts';
import { closeReport } from '../../../../shared/table/reports/close-report.ts';
import {
  findReport,
  findReports,
  listReports,
} from '../../../../shared/table/reports/query-reports.ts';
import { report } from '../../../support/handlers/api-calls.ts';
import { person } from '../../../support/people/callers.ts';
import { emptyTable } from '../../../support/table/empty-table.ts';
import '../../../support/setup/use-table.ts';

const open = { isOpen: true, oldestFirst: true, count: 100 };
const reporters = Array.from({ length: 12 }, (_, n) => `reporter-${n}`);

let now = 0;
/** Stores reports that were created one second apart. Each person reports themselves. */
beforeEach(async () => {
  await emptyTable();
  now = Date.UTC(2026, 5, 1);
  jest.spyOn(clock, 'now').mockImplementation(() => now);
  for (const id of reporters) {
    now += 1000;
    await report(person(id), { contact_id: id, reason: 'other' });
  }
});
afterEach(() => {
  jest.restoreAllMocks();
});

const idsOf = async (range: Partial<typeof open> & { after?: string } = {}) =>
  (await findReports({ ...open, ...range })).map(({ id }) => id);

describe('Reports are listed', () => {
  test('oldest first or newest first', async () => {
    const subjects = async (oldestFirst: boolean) =>
      (await listReports({ ...open, oldestFirst })).map(({ subject_id }) => subject_id);
    expect(await subjects(true)).toEqual(reporters);
    expect(await subjects(false)).toEqual(reporters.toReversed());
  });

  test.each([true, false])('in pages without overlap, oldest first: %s', async (oldestFirst) => {
    const all = await idsOf({ oldestFirst });
    const first = await idsOf({ oldestFirst, count: 5 });
    const second = await idsOf({ oldestFirst, count: 5, after: first.at(-1) ?? '' });
    expect([...first, ...second]).toEqual(all.slice(0, 10));
  });

  test('with one query for each of 32 partitions, even if only one report is requested', async () => {
    resetUsage();
    await findReports({ ...open, count: 1 });
    expect(usage).toMatchObject({ table_calls: 32, write_units: 0 });
  });
});

describe('Closing a report', () => {
  test('moves it to the closed reports; closing it again returns false', async () => {
    const [oldest, ...others] = await listReports(open);
    if (!oldest) throw new Error('There are no reports.');
    expect(await closeReport(oldest)).toBe(true);
    expect(await closeReport(oldest)).toBe(false);
    expect(await listReports(open)).toEqual(others);
    expect(await listReports({ ...open, isOpen: false })).toEqual([
      { ...oldest, closed_at: clock.now() },
    ]);
  });

  test('makes the reporter’s repeated report return the closed report', async () => {
    const [oldest] = await listReports(open);
    if (!oldest) throw new Error('There are no reports.');
    await closeReport(oldest);
    const again = { contact_id: oldest.subject_id, reason: 'hate' };
    expect(await report(person(oldest.reported_by), again)).toMatchObject({ reason: 'other' });
    expect(await idsOf()).toHaveLength(reporters.length - 1);
  });
});

test('A report is found by its id, whether open or closed', async () => {
  const [oldest] = await listReports(open);
  if (!oldest) throw new Error('There are no reports.');
  expect(await findReport(oldest.id)).toEqual(oldest);
  await closeReport(oldest);
  expect(await findReport(oldest.id)).toMatchObject({ id: oldest.id, closed_at: clock.now() });
  expect(await findReport('unknown')).toBeUndefined();
});
