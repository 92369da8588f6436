import { expect, test } from '@jest/globals';
import { readSources } from '../../../commands/start/sources.ts';

test('What functions and the app are made of has a fingerprint for each', async () => {
  const { app, functions } = await readSources(['messages/send', 'messages/list']);
  expect([...functions.keys()].sort()).toEqual(['messages/list', 'messages/send']);
  expect(new Set([app, ...functions.values()]).size).toBe(3);
});

test('A handler that was deleted is another than before, and the others are as they are', async () => {
  const { functions } = await readSources(['messages/send']);
  const after = await readSources(['messages/send', 'messages/deleted']);
  expect(after.functions).toEqual(new Map([...functions, ['messages/deleted', 'gone']]));
});
