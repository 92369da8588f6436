import { expect, test } from '@jest/globals';
import { withPrograms } from './start-up-benchmark.ts';

test('The first send or authorizer call loads no unneeded Node.js modules, but a send with the bare SDK does', async () => {
  const neverUsed =
    /webstreams|webcrypto|perf_hooks|internal\/perf\/performance$|undici|fs\/promises|zlib|readline/;
  const loaded = await withPrograms(async (programs) => {
    const results: [string, string[]][] = [];
    for (const { name, start } of programs) {
      const { modules } = await start();
      results.push([name, modules.filter((one) => neverUsed.test(one))]);
    }
    return Object.fromEntries(results);
  });
  expect(loaded).toMatchObject({ 'messages/send': [], 'authorizer, fetches keys': [] });
  expect(loaded['send with the bare SDK']).not.toEqual([]);
});
