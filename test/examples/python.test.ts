import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from '../../client/src/index.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import { selectSize } from '../support/setup/sample-size.ts';

const program = join(import.meta.dirname, '../../examples/python/messages.py');
/** `/usr/bin/python3` has Debian's packages, even if PATH finds another Python first. */
const python = ['python3', '/usr/bin/python3'].find(
  (command) => spawnSync(command, ['-c', 'import httpx, websockets']).status === 0,
);
if (!python) console.warn('Skipped: install python3-httpx and python3-websockets.');

let cloud: Cloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

const startProgram = (token: string) => {
  const child = spawn(python ?? '', [program], {
    env: { ...process.env, API: cloud.url, TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const state = { messages: {}, stop };
  lines.on('line', (line) => {
    state.messages = JSON.parse(line);
  });
  return state;

  /** Stops reading before it ends the program, because the last line may be incomplete. */
  async function stop(): Promise<void> {
    lines.removeAllListeners('line');
    child.kill();
    await exited;
  }
};

/** Omits the contacts' `last_active_at`, whose changes have no events. */
const withoutActivity = (messages: object): unknown =>
  JSON.parse(
    JSON.stringify(messages, (name, value) => (name === 'last_active_at' ? undefined : value)),
  );

(python ? test : test.skip)(
  'The Python example shows the same messages as the API after edits and deletions',
  async () => {
    const [ann, bob] = ['ann', 'bob'].map((id) =>
      createClient({ url: cloud.url, token: () => cloud.token(id) }),
    );
    if (!ann || !bob) throw new Error('Both clients are required.');
    const { id: conversation_id } = await ann.conversations.create({ contact_id: 'bob' });
    await ann.messages.send({ conversation_id, message: 'Sent before the program starts' });
    const state = startProgram(await cloud.token('bob'));
    const readMessages = async () => {
      const list = bob.messages.list({ conversation_id, peek: true, limit: 100 });
      return Object.fromEntries((await list.page()).data.map((one) => [one.id, one]));
    };
    try {
      while (Object.keys(state.messages).length === 0) {
        await ann.messages.send({ conversation_id, message: 'Are you listening?' });
        await sleep(300);
      }
      for (let round = 0; round < selectSize(3, 20); round += 1) {
        const text = round % 2 === 0 ? `Message ${round}` : '漢'.repeat(9000);
        const { id: message_id } = await ann.messages.send({ conversation_id, message: text });
        if (round % 3 === 0) await ann.messages.update({ message_id, message: 'Edited' });
        if (round % 3 === 1) await bob.messages.update({ message_id, reactions: { ok: ['bob'] } });
        if (round % 3 === 2) await ann.messages.delete({ message_id });
        await sleep(selectSize(0, 1000));
      }
      const expected = withoutActivity(await readMessages());
      const isSame = () => isDeepStrictEqual(withoutActivity(state.messages), expected);
      await waitUntil(isSame).catch(() => {});
      expect(withoutActivity(state.messages)).toEqual(expected);
    } finally {
      await state.stop();
    }
  },
);
