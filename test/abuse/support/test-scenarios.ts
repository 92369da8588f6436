import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Figures, formatFigures } from './cost-figures.ts';
import type { Scenario } from './scenario.ts';
import { startAbuse } from './start-abuse-run.ts';

/** Timeout of a test in milliseconds, long because seeding a history takes time. */
const patience = 60 * 60 * 1000;

export function testScenarios(scenarios: readonly Scenario[]): void {
  let abuse: Awaited<ReturnType<typeof startAbuse>>;
  const reports: { title: string; figures: Figures[] }[] = [];

  beforeAll(async () => {
    abuse = await startAbuse();
  });
  afterAll(async () => {
    await abuse.stop();
    print(`\n${formatFigures(reports)}`);
  });

  test.each(scenarios.map((one) => [one.title, one] as const))(
    'Requests return the expected replies within their cost limits: %s',
    async (title, { run }) => {
      const begun = performance.now();
      const { figures, faults } = await run(abuse.abuse);
      reports.push({ title, figures });
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      print(`${seconds} s  ${title}${faults.length > 0 ? ': failed' : ''}`);
      expect(faults).toEqual([]);
    },
    patience,
  );
}

/** Bypasses the console, because Jest buffers its output. */
const print = (text: string) => process.stdout.write(`${text}\n`);
