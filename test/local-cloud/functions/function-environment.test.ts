import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { getFunctions } from '../../../local-cloud/functions/function-definition.ts';
import { startEnvironment } from '../../../local-cloud/functions/function-environment.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import { createAssembly, createFunction, temporaryFolder } from '../small-stack.ts';

test('An invocation that ends while the process is paused does not time out, even if the pause exceeds the timeout', async () => {
  const folder = temporaryFolder();
  const ended = join(folder, 'ended');
  const code = `
    const { writeFileSync } = require('node:fs');
    exports.handler = async () => {
      writeFileSync(${JSON.stringify(ended)}, '');
      return 'well';
    };`;
  const resources = createFunction(folder, 'Small', code, { Timeout: 1 });
  const [definition] = getFunctions(
    readStack('small', createAssembly(folder, resources).template),
    folder,
  );
  if (!definition) throw new Error('The stack has no function.');
  const environment = startEnvironment({ definition, variables: {}, log: () => {} });
  await environment.loaded;
  const outcome = environment.invoke('{}');
  // After a `setImmediate` callback, the event loop runs timers before it reads messages.
  await new Promise(setImmediate);
  while (!existsSync(ended)) block(10);
  block(2000);
  expect(await outcome).toEqual({ ok: true, reply: '"well"' });
  await environment.stop();
});

/** Blocks this thread. */
const block = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
