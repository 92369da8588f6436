import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '../../client/src/index.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { temporaryFolder } from '../local-cloud/small-stack.ts';
import { runBesideCloud } from '../support/processes/run-command.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { waitUntil } from '../support/processes/wait-until.ts';

const data = temporaryFolder();

let cloud: Cloud;
beforeAll(async () => {
  cloud = await startTestCloud({ dataDirectory: data });
});
afterAll(() => cloud.stop());

const clientOf = (id: string) => createClient({ url: cloud.url, token: () => cloud.token(id, {}) });

const run = (...parameters: string[]) =>
  runBesideCloud('bin/reports.ts', ...parameters, '--data', data);

describe('With a running local cloud', () => {
  test('operators list a report, remove the reported message, suspend its sender and close the report', async () => {
    const [ann, mallory] = [clientOf('ann'), clientOf('mallory')];
    const { id: conversation_id } = await ann.conversations.create({ contact_id: 'mallory' });
    const { id: message_id } = await mallory.messages.send({ conversation_id, message: 'Pay me' });
    await ann.reports.create({ message_id, reason: 'scam', note: 'Unasked' });

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
    expect((await ann.messages.list({ conversation_id }).page()).data).toEqual([]);
    await waitUntil(async () => {
      const { data: events } = await ann.events.list({ limit: 100 }).page();
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
    expect((await run('show')).stderr).toContain('error: show requires exactly one id, not 0.');
    expect((await run('list', 'x')).stderr).toContain('error: list accepts no ids: remove x.');
    expect((await run('close')).stderr).toContain(
      'error: Missing report id: pass at least one id after close.',
    );
    expect((await run('suspend', 'a b')).stderr).toContain("'a b' must be 1 to 128 characters");
  });
});
