import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import fc, { seed } from '../support/setup/fast-check.ts';
import { thoroughTest } from '../support/setup/sample-size.ts';
import { checkHistory } from './checker/check-history.ts';
import type { Operation } from './checker/history.ts';
import { countSigns } from './coverage-tally.ts';
import { attemptMilliseconds, injectFaults } from './fault-injection.ts';
import { plan } from './recorder/plan.ts';
import { recordHistory, type Stage } from './recorder/record-history.ts';

/**
 * Number of histories. For a long run, use
 * `HISTORIES=5000 npm run test:long -- test/linearizability`.
 */
const numHistories = Number(process.env.HISTORIES ?? 200);
/**
 * Number of concurrent histories. More histories would have to wait, because each function has four
 * environments.
 */
const atOnce = 4;
/** Number of histories per required occurrence of each event. */
const historiesPerEvent = 20;

/** The seed fixes delays and faults, but not the order of the operations. */
const faults = injectFaults(seed);
let cloud: Cloud | undefined;

beforeAll(async () => {
  cloud = await startTestCloud({
    variables: { SERVICE_TIMEOUT_MILLISECONDS: String(attemptMilliseconds) },
    onTableCall: faults.onTableCall,
  });
});
afterAll(async () => {
  await cloud?.stop();
});

async function openStage(n: number): Promise<Stage> {
  if (!cloud) throw new Error('The local cloud did not start.');
  const [ann, bob] = [`ann-${n}`, `bob-${n}`];
  const [annToken, bobToken] = await Promise.all([cloud.token(ann), cloud.token(bob)]);
  const people = { ann: { id: ann, token: annToken }, bob: { id: bob, token: bobToken } };
  return { url: cloud.url, people };
}

thoroughTest(
  'despite table faults, the replies to concurrent clients of a conversation are linearizable',
  async () => {
    const plans = fc.sample(plan, numHistories).values();
    const histories: Operation[][] = [];
    let started = 0;
    const runHistories = async () => {
      for (const next of plans) {
        // Each history has new people, because a block affects all conversations of a pair.
        const history = await recordHistory(await openStage(started++), next);
        histories.push(history);
        const problem = checkHistory(history);
        if (problem) throw new Error(`History ${histories.length} of SEED=${seed}. ${problem}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, runHistories));

    const tally = {
      ...countSigns(histories),
      'a gap that a reader fills': faults.gapFills(),
    };
    const minCount = Math.floor(numHistories / historiesPerEvent);
    const rare = Object.entries(tally).filter(([, times]) => times < minCount);
    expect(rare).toEqual([]);
  },
  numHistories * 10_000,
);
