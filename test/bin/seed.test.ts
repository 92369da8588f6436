import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callOperation } from '../../commands/api/call-operation.ts';
import { createLocalUsers } from '../../commands/users/test-users.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { listConversations, listMessages } from '../../shared/contract/operations.ts';
import { temporaryFolder } from '../local-cloud/small-stack.ts';
import { terminalEnvironment } from '../support/processes/run-command.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { findRemainingItems } from '../support/table/remaining-items.ts';

const root = join(import.meta.dirname, '../..');

describe('npm run seed', () => {
  const dataDirectory = temporaryFolder();
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await startTestCloud({ dataDirectory });
  });
  afterAll(() => cloud.stop());

  /** Runs the command concurrently with this process, which serves the local cloud. */
  const seed = (...parameters: string[]) =>
    promisify(execFile)(process.execPath, ['bin/seed.ts', '--data', dataDirectory, ...parameters], {
      cwd: root,
      env: terminalEnvironment(),
    }).then(
      ({ stdout }) => ({ output: stdout.trim() }),
      ({ code, stderr }) => ({ code, output: stderr.trim() }),
    );

  test('creates people, conversations and messages, rejects a second run, and deletes all of them with --remove', async () => {
    expect(await seed('--people', '3', '--messages', '5')).toEqual({
      output: `Created 3 people, 4 conversations and 20 messages. For a token of the first person:
  npm run -s token -- seed-1 --groups seed`,
    });
    const [person] = await createLocalUsers(dataDirectory, { 'seed-1': ['seed'] });
    if (!person) throw new Error('There is no such person.');
    const conversations = await callOperation(cloud.url, person, listConversations);
    const messages = await callOperation(cloud.url, person, listMessages, {
      query: { limit: '100' },
    });
    expect({
      with: conversations.reply.data.map(({ group_id, contact_id }) => group_id ?? contact_id),
      messages: messages.reply.data.length,
    }).toEqual({ with: ['seed-3', 'seed-2', 'seed'], messages: 15 });

    expect(await seed()).toEqual({
      code: 1,
      output: 'The seed data already exists: delete it with --remove first.',
    });

    const { output } = await seed('--remove');
    expect(output).toMatch(/^Deleted 4 conversations and \d+ other items of the seeded users\.$/);
    expect(await findRemainingItems(cloud)).toEqual([]);
  });
});
