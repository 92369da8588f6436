import { expect, test } from '@jest/globals';
import { readSources } from '../../../commands/start/sources.ts';

test('The app and each function have different source fingerprints', async () => {
  const { app, functions } = await readSources(['messages/send', 'messages/list']);
  expect([...functions.keys()].sort()).toEqual(['messages/list', 'messages/send']);
  expect(new Set([app, ...functions.values()]).size).toBe(3);
});

test('A deleted handler has the fingerprint `gone`, and the other fingerprints stay the same', async () => {
  const { functions } = await readSources(['messages/send']);
  const after = await readSources(['messages/send', 'messages/deleted']);
  expect(after.functions).toEqual(new Map([...functions, ['messages/deleted', 'gone']]));
});
