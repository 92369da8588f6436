import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Figures, formatFigures } from './cost-figures.ts';
import type { Scenario } from './scenario.ts';
import { startAbuse } from './start-abuse-run.ts';

/** Timeout of a test in milliseconds; long, because planting a history takes time. */
const patience = 60 * 60 * 1000;

/** Defines a test for each scenario, and prints all figures at the end. */
export function testScenarios(scenarios: readonly Scenario[]): void {
  let abuse: Awaited<ReturnType<typeof startAbuse>>;
  const reports: { title: string; figures: Figures[] }[] = [];

  beforeAll(async () => {
    abuse = await startAbuse();
  });
  afterAll(async () => {
    await abuse.stop();
    say(`\n${formatFigures(reports)}`);
  });

  test.each(scenarios.map((one) => [one.title, one] as const))(
    'Requests get correct replies within their cost limits: %s',
    async (title, { run: tell }) => {
      const begun = performance.now();
      const { figures, faults } = await tell(abuse.abuse);
      reports.push({ title, figures });
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      say(`${seconds} s  ${title}${faults.length > 0 ? ': failed' : ''}`);
      expect(faults).toEqual([]);
    },
    patience,
  );
}

/** Writes directly to stdout, because Jest buffers console output. */
const say = (text: string) => process.stdout.write(`${text}\n`);
