import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { EventPage } from '../../shared/contract/resources/event.ts';
import { MessagePage } from '../../shared/contract/resources/message.ts';
import { temporaryFolder } from '../local-cloud/small-stack.ts';
import { terminalEnvironment } from '../support/processes/run-command.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { waitUntil } from '../support/processes/wait-until.ts';

const root = join(import.meta.dirname, '../..');
const data = temporaryFolder();
const Created = v.object({ id: v.string() });

let cloud: Cloud;
beforeAll(async () => {
  cloud = await startTestCloud({ dataDirectory: data });
});
afterAll(() => cloud.stop());

async function sendRequest(
  userId: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${cloud.url}/v1/${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${await cloud.token(userId, {})}`,
      'Content-Type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const make = async (userId: string, path: string, body: object) =>
  v.parse(Created, await sendRequest(userId, 'POST', path, body)).id;

/** Runs the command as a separate process, because this process serves the API. */
async function run(...parameters: string[]) {
  const child = spawn(process.execPath, ['bin/reports.ts', ...parameters, '--data', data], {
    cwd: root,
    env: terminalEnvironment(),
  });
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  return { status, stdout, stderr };
}

describe('With a running local cloud', () => {
  test('operators list a report, remove the reported message, suspend its sender and close the report', async () => {
    const conversation_id = await make('ann', 'conversations', { contact_id: 'mallory' });
    const message_id = await make('mallory', 'messages', { conversation_id, message: 'Pay me' });
    await sendRequest('ann', 'POST', 'reports', { message_id, reason: 'scam', note: 'Unasked' });

    const listed = await run('list');
    expect(listed).toMatchObject({ status: 0, stderr: '' });
    const [id = ''] = listed.stdout.split('\n')[1]?.split(' ') ?? [];
    const shown = await run('show', id);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      note: 'Unasked',
      copy: { message: 'Pay me' },
    });

    const unconfirmed = await run('remove-message', id);
    expect(unconfirmed).toMatchObject({ status: 1, stderr: expect.stringContaining('--yes') });
    const removed = await run('remove-message', id, '--yes');
    expect(removed).toMatchObject({ status: 0, stdout: `Deleted the message ${message_id}.\n` });
    const page = await sendRequest('ann', 'GET', `messages?conversation_id=${conversation_id}`);
    expect(v.parse(MessagePage, page).data).toEqual([]);
    await waitUntil(async () => {
      const { data: events } = v.parse(
        EventPage,
        await sendRequest('ann', 'GET', 'events?limit=100'),
      );
      return events.some(
        ({ type, id: event }) => type === 'message.deleted' && event.startsWith(message_id),
      );
    });

    const suspended = await run('suspend', 'mallory', '--yes');
    expect(suspended).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('no new tokens'),
    });
    await expect(cloud.token('mallory', {})).rejects.toThrow('mallory is suspended');

    expect(await run('close', id)).toMatchObject({ stdout: `Closed the report ${id}.\n` });
    expect(await run('list')).toMatchObject({ stdout: 'No reports.\n' });
    expect(await run('list', '--closed')).toMatchObject({ stdout: expect.stringContaining(id) });
  });

  test('commands reject an unknown, missing, unexpected or invalid id with an error message', async () => {
    expect(await run('show', 'x')).toMatchObject({ status: 1, stderr: 'There is no report x.\n' });
    expect((await run('show')).stderr).toContain('error: Give show one id.');
    expect((await run('list', 'x')).stderr).toContain('error: Give list no id.');
    expect((await run('close')).stderr).toContain('error: Give close an id.');
    expect((await run('suspend', 'a b')).stderr).toContain("'a b' must be 1 to 128 characters");
  });
});
