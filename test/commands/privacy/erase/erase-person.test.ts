import {
  AdminDeleteUserCommand,
  AdminListGroupsForUserCommand,
  CognitoIdentityProviderClient,
  ListUsersCommand,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import {
  erasePerson,
  type PersonErasure,
} from '../../../../commands/privacy/erase/erase-person.ts';
import { deletePoolAccount, findPoolAccount } from '../../../../commands/users/pool-account.ts';
import { clock } from '../../../../shared/clock.ts';
import { getConversation } from '../../../support/handlers/api-calls.ts';
import { interceptCalls } from '../../../support/table/call-hooks.ts';
import { findTraces } from '../find-traces.ts';
import { createPersonFixture, type PersonFixture, table } from '../person-fixture.ts';
import '../../../support/setup/use-table.ts';

let fixture: PersonFixture;
beforeEach(async () => {
  jest.spyOn(clock, 'sleep').mockResolvedValue(undefined);
  fixture = await createPersonFixture();
});
/** Runs the command. `typed` is the operator's reply, or undefined if there is no terminal. */
async function runErasure(more: Partial<PersonErasure>, typed?: string) {
  const printed: string[] = [];
  const questions: string[] = [];
  const options: PersonErasure = {
    contactId: fixture.bob.id,
    table,
    stageName: 'prod',
    hasEvents: false,
    account: undefined,
    issuer: undefined,
    groups: [],
    narrow: false,
    dryRun: false,
    yes: false,
    rates: { reads: 1_000_000, writes: 1_000_000 },
    ...more,
  };
  const prompt = async (question: string) => {
    questions.push(question);
    return typed ?? '';
  };
  const output = {
    print: (line: string) => printed.push(line),
    prompt: typed === undefined ? undefined : prompt,
    onProgress: () => {},
  };
  const outcome = await erasePerson(options, output).catch((error: Error) => error.message);
  return { outcome, questions, printed };
}

describe('npm run erase-person', () => {
  test('lists the data, prompts for the contact id, and reports what it erased', async () => {
    const remove = jest.fn(async () => {});
    const account = { name: 'bobby', remove };
    const { outcome, questions, printed } = await runErasure({ account }, fixture.bob.id);
    expect(outcome).toBe(true);
    expect(questions).toEqual([
      `This permanently erases the data of ${fixture.bob.id}. Conversations with other participants remain and show ${fixture.bob.id} without a name. Type the contact id to continue: `,
    ]);
    expect(remove).toHaveBeenCalledTimes(1);
    expect(printed.map((line) => line.replace(/\d+(?= {2}entries)/, '9'))).toEqual([
      expect.stringMatching(
        /^The table has about \d+ items: reading all of it takes \d+ read units, \$0\.000, and \d s at 1000000 units per second\.$/,
      ),
      `Data of ${fixture.bob.id} at prod:`,
      '        1  the profile',
      '        5  messages they sent',
      "        2  other users' messages with their reactions",
      '        3  conversation settings: flags and read positions',
      '        2  records of requests with an Idempotency-Key',
      expect.stringContaining('  entries of their own feed'),
      '        1  reports they made',
      '        1  webhook endpoints restricted to their conversations',
      '        2  records of distinct conversations with contacts and businesses',
      '        1  conversations without another participant, with all their content',
      '        4  conversations with other participants',
      "          the account bobby in the stage's user pool",
      'Deleted the account bobby.',
      `Waiting 70 seconds until all functions refuse writes by ${fixture.bob.id}.`,
      'Erased:',
      '        1  the profile',
      '        5  messages they sent',
      "        2  other users' messages with their reactions",
      '        3  conversation settings: flags and read positions',
      '        2  records of requests with an Idempotency-Key',
      expect.stringContaining('  entries of their own feed'),
      '        1  reports they made',
      '        1  webhook endpoints restricted to their conversations',
      '        2  records of distinct conversations with contacts and businesses',
      '        1  conversations without another participant, with all their content',
      `4 conversations with other participants still name ${fixture.bob.id}, and show only that id.`,
      'Existing tokens can read for up to an hour; new messages, conversations and reactions are refused from now on.',
      expect.stringMatching(
        /^The table's backups contain the data until \d{4}-\d\d-\d\d: after a restore/,
      ),
      'docs/privacy.md lists what to do about exports, attachments and event recipients.',
    ]);
    expect(await findTraces(fixture.bob.id, { isPurged: false })).toEqual([]);
  });

  test('changes nothing if another id is typed, there is no terminal, or --dry-run is set', async () => {
    const remove = jest.fn(async () => {});
    const account = { name: 'bobby', remove };
    expect(await runErasure({ account }, 'ann')).toMatchObject({ outcome: 'Nothing was changed.' });
    const { outcome, printed } = await runErasure({ account });
    expect([outcome, printed]).toEqual([expect.stringContaining('requires a terminal'), []]);
    const counted = await runErasure({ account, dryRun: true });
    expect([counted.outcome, counted.printed.at(-1)]).toEqual([true, 'Nothing was changed.']);
    expect(counted.printed).toContain('        5  messages they sent');
    expect(remove).not.toHaveBeenCalled();
    expect(await getConversation(fixture.bob, fixture.direct)).toMatchObject({ is_pinned: true });
  });

  test('with --yes requires no confirmation, and a repeated run reports the time of the first erasure and finds no data', async () => {
    await runErasure({ yes: true });
    const { outcome, printed } = await runErasure({ yes: true });
    expect(outcome).toBe(true);
    expect(printed[0]).toMatch(/ was first erased on \d{4}-.*Z\.$/);
    expect(printed[2]).toBe(`No data of ${fixture.bob.id} found.`);
  });

  test('prints the external issuer, and warns that --narrow is incomplete', async () => {
    const { printed } = await runErasure({
      yes: true,
      narrow: true,
      issuer: 'https://id.example.com',
    });
    expect(printed[0]).toContain(
      'Searches only the conversations of the person, of their user groups and last token’s groups, and of the given groups. Data in other conversations remains.',
    );
    expect(printed).toContainEqual(
      expect.stringContaining('The account is managed by https://id.example.com: delete it there.'),
    );
    expect(printed).toContainEqual(expect.stringContaining('run again without --narrow'));
  });

  test('reports a DynamoDB error, and succeeds when repeated', async () => {
    const restoreCalls = interceptCalls(async ({ operation }, next) => {
      if (operation === 'BatchGetItem')
        throw Object.assign(new Error('out of order'), {
          $metadata: {},
          name: 'InternalServerError',
        });
      await next();
    });
    const { outcome } = await runErasure({ yes: true, narrow: true }).finally(restoreCalls);
    expect(outcome).toContain('out of order');
    expect((await runErasure({ yes: true })).outcome).toBe(true);
  });
});

describe('An account in a user pool', () => {
  const cognito = mockClient(CognitoIdentityProviderClient);
  const pool = { client: new CognitoIdentityProviderClient(), UserPoolId: 'eu-central-1_pool' };
  beforeEach(() => {
    cognito.reset();
  });

  test('is found by its contact id and returned with its groups', async () => {
    const Attributes = [
      { Name: 'sub', Value: '5f0c' },
      { Name: 'email', Value: 'bob@example.com' },
    ];
    const user = {
      Username: 'bobby',
      Attributes,
      UserStatus: 'CONFIRMED' as const,
      UserCreateDate: new Date(7000),
    };
    cognito
      .on(ListUsersCommand, { Filter: 'sub = "5f0c"', UserPoolId: pool.UserPoolId, Limit: 1 })
      .resolves({ Users: [user] });
    cognito.on(AdminListGroupsForUserCommand).resolves({ Groups: [{ GroupName: 'team' }] });
    expect(await findPoolAccount(pool, '5f0c')).toEqual({
      id: '5f0c',
      username: 'bobby',
      attributes: { email: 'bob@example.com' },
      groups: ['team'],
      enabled: true,
      status: 'CONFIRMED',
      created_at: 7,
    });
  });

  test('may be missing or already deleted', async () => {
    cognito.on(ListUsersCommand).resolves({ Users: [] });
    cognito
      .on(AdminDeleteUserCommand)
      .rejects(new UserNotFoundException({ $metadata: {}, message: 'gone' }));
    expect(await findPoolAccount(pool, '5f0c')).toBeUndefined();
    await deletePoolAccount(pool, 'bobby');
    expect(cognito.commandCalls(AdminDeleteUserCommand)[0]?.args[0].input).toEqual({
      UserPoolId: pool.UserPoolId,
      Username: 'bobby',
    });
  });
});
