import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stories } from './stories/index.ts';
import { type Figures, tableOf } from './support/figures.ts';
import { startSiege } from './support/local-siege.ts';

let siege: Awaited<ReturnType<typeof startSiege>>;
const told: { title: string; figures: Figures[] }[] = [];

beforeAll(async () => {
  siege = await startSiege();
});

afterAll(async () => {
  await siege.stop();
  say(`\n${tableOf(told)}`);
});

/** Jest holds back what goes through the console. */
const say = (text: string) => process.stdout.write(`${text}\n`);

/** Histories of any length are planted first. */
const patience = 60 * 60 * 1000;

test.each(stories.map((one) => [one.title, one] as const))(
  '%s',
  async (title, { tell }) => {
    const begun = performance.now();
    const { figures, faults } = await tell(siege.siege);
    told.push({ title, figures });
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    say(`${seconds} s  ${title}${faults.length > 0 ? ': not as it must be' : ''}`);
    expect(faults).toEqual([]);
  },
  patience,
);
