import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CognitoIdentityProviderClient,
  InvalidParameterException,
  ListGroupsCommand,
  ListUsersCommand,
  ListUsersInGroupCommand,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { exportUsers } from '../../../commands/users/export-users.ts';
import { temporaryFolder } from '../../local-cloud/small-stack.ts';

const cognito = mockClient(CognitoIdentityProviderClient);
const folder = temporaryFolder();
const UserPoolId = 'eu-central-1_pool';

const user = (Username: string): UserType => ({
  Username,
  Attributes: [
    { Name: 'email', Value: `${Username}@acme.test` },
    { Name: 'sub', Value: `sub-of-${Username}` },
  ],
  Enabled: Username !== 'carol',
  UserStatus: 'CONFIRMED',
  UserCreateDate: new Date('2026-11-21T10:00:00.500Z'),
});

const line = (username: string, groups: string[]) => ({
  id: `sub-of-${username}`,
  username,
  attributes: { email: `${username}@acme.test` },
  groups,
  enabled: username !== 'carol',
  status: 'CONFIRMED',
  created_at: 1795255200,
});

const allUsers = [line('ann', ['friends', 'team']), line('bob', ['team']), line('carol', [])];

beforeEach(() => {
  cognito.reset();
  cognito
    .on(ListGroupsCommand)
    .resolves({ Groups: [{ GroupName: 'team' }, { GroupName: 'friends' }] });
  cognito
    .on(ListUsersInGroupCommand, { GroupName: 'team' })
    .resolves({ Users: [user('ann'), user('bob')] });
  cognito.on(ListUsersInGroupCommand, { GroupName: 'friends' }).resolves({ Users: [user('ann')] });
  cognito.on(ListUsersCommand).resolves({ Users: [user('ann')], PaginationToken: 'two' });
  cognito
    .on(ListUsersCommand, { PaginationToken: 'two' })
    .resolves({ Users: [user('bob')], PaginationToken: 'three' });
  cognito.on(ListUsersCommand, { PaginationToken: 'three' }).resolves({ Users: [user('carol')] });
});

let count = 0;
function fresh() {
  count += 1;
  const file = join(folder, `people-${count}.ndjson`);
  const printed: string[] = [];
  const client = new CognitoIdentityProviderClient();
  const run = () => exportUsers({ client, UserPoolId, file, print: (text) => printed.push(text) });
  const written = () =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
  return { file, printed, run, written };
}

/** Runs an export that fails after the first page. */
async function interruptExport() {
  const one = fresh();
  cognito
    .on(ListUsersCommand, { Limit: 60, PaginationToken: 'two' })
    .rejectsOnce(new Error('cut off'))
    .resolves({ Users: [user('bob')], PaginationToken: 'three' });
  await expect(one.run()).rejects.toThrow('cut off');
  expect(existsSync(one.file)).toBe(false);
  return one;
}

const listRequests = () =>
  cognito
    .commandCalls(ListUsersCommand)
    .map(({ args: [{ input }] }) => [input.Limit, input.PaginationToken]);

describe('Exporting the users of a pool', () => {
  test('writes one line per user, with attributes and groups, to a file that only its owner can read', async () => {
    const { file, run, written } = fresh();
    expect(await run()).toBe(3);
    expect(written()).toEqual(allUsers);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect([existsSync(`${file}.part`), existsSync(`${file}.progress`)]).toEqual([false, false]);
  });

  test('resumes after an interruption, and writes each user once', async () => {
    const { file, run, written, printed } = await interruptExport();
    writeFileSync(`${file}.part`, `${readFileSync(`${file}.part`, 'utf8')}{"id":"half`);
    expect(await run()).toBe(3);
    expect(written()).toEqual(allUsers);
    expect(printed).toEqual(['Resuming after 1 users.']);
    // The first two calls belong to the interrupted run.
    expect(listRequests().slice(2)).toEqual([
      [1, 'two'],
      [60, 'two'],
      [60, 'three'],
    ]);
  });

  test("starts over if Cognito's pagination token has expired", async () => {
    const { run, written, printed } = await interruptExport();
    cognito
      .on(ListUsersCommand, { Limit: 1, PaginationToken: 'two' })
      .rejects(new InvalidParameterException({ message: 'expired', $metadata: {} }));
    expect(await run()).toBe(3);
    expect(written()).toEqual(allUsers);
    expect(printed).toEqual([
      'The Cognito pagination token has expired: restarting from the first user.',
    ]);
  });

  test('starts over if the unfinished file is from another pool', async () => {
    const { file, run, written } = await interruptExport();
    const progress = readFileSync(`${file}.progress`, 'utf8');
    writeFileSync(`${file}.progress`, progress.replace(UserPoolId, 'another'));
    expect(await run()).toBe(3);
    expect(written()).toEqual(allUsers);
  });

  test('does not overwrite an existing file', async () => {
    const { file, run } = fresh();
    writeFileSync(file, 'mine');
    await expect(run()).rejects.toThrow(`${file} already exists: specify another name.`);
    expect(cognito.calls()).toEqual([]);
  });
});
