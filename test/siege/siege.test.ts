import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stories } from './stories/index.ts';
import { type Figures, tableOf } from './support/figures.ts';
import { startSiege } from './support/local-siege.ts';

let siege: Awaited<ReturnType<typeof startSiege>>;
const told: { title: string; figures: Figures[] }[] = [];

beforeAll(async () => {
  siege = await startSiege();
}, 120_000);

afterAll(async () => {
  await siege.stop();
  // Jest holds back what goes through the console.
  process.stdout.write(`\n${tableOf(told)}\n`);
});

/** Histories of any length are planted first. */
const patience = 60 * 60 * 1000;

test.each(stories.map((one) => [one.title, one] as const))(
  '%s',
  async (title, { tell }) => {
    const { figures, faults } = await tell(siege.siege);
    told.push({ title, figures });
    expect(faults).toEqual([]);
  },
  patience,
);
