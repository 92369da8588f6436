import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { scenarios } from './scenarios/all-scenarios.ts';
import { type Figures, formatFigures } from './support/cost-figures.ts';
import { startAbuse } from './support/start-abuse-run.ts';

let abuse: Awaited<ReturnType<typeof startAbuse>>;
const reports: { title: string; figures: Figures[] }[] = [];

beforeAll(async () => {
  abuse = await startAbuse();
});

afterAll(async () => {
  await abuse.stop();
  say(`\n${formatFigures(reports)}`);
});

/** Writes directly to stdout, because Jest buffers console output. */
const say = (text: string) => process.stdout.write(`${text}\n`);

/** Planting the histories takes time. */
const patience = 60 * 60 * 1000;

test.each(scenarios.map((one) => [one.title, one] as const))(
  '%s',
  async (title, { run: tell }) => {
    const begun = performance.now();
    const { figures, faults } = await tell(abuse.abuse);
    reports.push({ title, figures });
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    say(`${seconds} s  ${title}${faults.length > 0 ? ': not as it must be' : ''}`);
    expect(faults).toEqual([]);
  },
  patience,
);
