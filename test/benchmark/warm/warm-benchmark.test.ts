import { expect } from '@jest/globals';
import { exampleCalls } from '../../support/fault-replay/example-calls.ts';
import { thoroughTest } from '../../support/setup/sample-size.ts';
import { measureWarmCpu } from './warm-benchmark.ts';

thoroughTest('The warm CPU benchmark measures the request of each contract example', async () => {
  const [section] = await measureWarmCpu(1);
  const measured = section?.rows.map(({ name }) => name.split(',')[0]);
  expect(measured).toEqual(exampleCalls.map(({ row }) => row.id));
});
