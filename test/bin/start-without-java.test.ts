import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { findDynoxide } from '../../local-cloud/table/dynoxide.ts';
import { env } from '../../shared/env.ts';
import { temporaryFolder } from '../local-cloud/small-stack.ts';
import { runCommand } from '../support/processes/run-command.ts';
import { killProgram, startProgram } from '../support/processes/start-program.ts';
import { waitUntil } from '../support/processes/wait-until.ts';

const root = join(import.meta.dirname, '../..');

const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) await killProgram(child);
});

const linuxTest = findDynoxide() ? test : test.skip;

const findEngines = (folder: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readCommandLine)
    .filter((line) => line.includes(`--db-path\0${folder}`));

function readCommandLine(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

linuxTest('npm start without Java serves the API and, if killed, leaves no process', async () => {
  const data = temporaryFolder();
  symlinkSync(join(env('TEST_ASSEMBLY'), '..'), join(data, 'synthesis'), 'junction');
  const { child, printed, ended } = startProgram(['bin/start.ts', '--data', data], {
    cwd: root,
    env: { ...process.env, PORT: '0', JAVA_HOME: data },
  });
  running.push(child);
  const [, url = ''] = await printed(
    /Java 17 or newer is missing, so the table runs on Dynoxide[\s\S]*API: (http:\S+)[\s\S]*Press Ctrl-C to stop\./,
  );
  const token = runCommand('bin/token.ts', 'ann', '--data', data).stdout.trim();
  const headers = { Authorization: `Bearer ${token}` };
  const post = (path: string, body: Record<string, string>) =>
    fetch(`${url}/v1/${path}`, { method: 'POST', headers, body: new URLSearchParams(body) });
  const live: unknown = await (await fetch(`${url}/v1/live`, { headers })).json();
  const created = await post('conversations', { contact_id: 'bob', distinct: 'true' });
  const id = new URL(created.headers.get('Location') ?? '').pathname.split('/').at(-1) ?? '';
  await post('messages', { conversation_id: id, message: 'Hello' });
  const list = await fetch(`${url}/v1/messages?conversation_id=${id}&limit=1`, { headers });
  expect(await list.json()).toMatchObject({ data: [{ message: 'Hello' }] });
  const events = async () =>
    (await fetch(`${url}/v1/events?starting_after=${Object(live).cursor}`, { headers })).text();
  await waitUntil(async () => (await events()).includes('"Hello"'));
  expect(findEngines(data)).not.toEqual([]);
  child.kill('SIGKILL');
  await ended;
  await waitUntil(() => findEngines(data).length === 0);
});
