import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  CognitoIdentityProviderClient,
  DeleteGroupCommand,
  ResourceNotFoundException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import {
  createPoolScenarioUsers,
  readTokenUsers,
} from '../../../../commands/verify/target/scenario-users.ts';

const cognito = mockClient(CognitoIdentityProviderClient);
const error = { message: 'no', $metadata: {} };

beforeEach(() => {
  cognito.reset();
  cognito.on(AdminGetUserCommand).rejects(new UserNotFoundException(error));
  cognito.on(AdminCreateUserCommand).callsFake(({ Username }) => ({
    User: { Username, Attributes: [{ Name: 'sub', Value: `sub of ${Username}` }] },
  }));
  cognito.on(AdminInitiateAuthCommand).callsFake(({ AuthParameters }) => ({
    AuthenticationResult: { IdToken: `token of ${AuthParameters.USERNAME}` },
  }));
});

const pool = {
  client: new CognitoIdentityProviderClient(),
  UserPoolId: 'eu-central-1_pool',
  ClientId: 'client',
};
const getCreatedUsers = () =>
  cognito.commandCalls(AdminCreateUserCommand).map(({ args }) => args[0].input.Username);
const getDeletions = () => [
  cognito.commandCalls(AdminDeleteUserCommand).map(({ args }) => args[0].input.Username),
  cognito.commandCalls(DeleteGroupCommand).map(({ args }) => args[0].input.GroupName),
];

describe('The users of a verification run', () => {
  test('are new test users: Ann shares one group with Bob and another with Carol', async () => {
    const { all } = await createPoolScenarioUsers(pool);
    const [ann = '', bob, carol] = getCreatedUsers();
    expect([ann, bob, carol].map((name) => name?.replace(/-[0-9a-f]{10}-/, '-…-'))).toEqual([
      'verify-…-ann',
      'verify-…-bob',
      'verify-…-carol',
    ]);
    expect(all.ANN).toEqual({ id: `sub of ${ann}`, token: `token of ${ann}` });
    const run = ann.slice(0, -'-ann'.length);
    const memberships = cognito
      .commandCalls(AdminAddUserToGroupCommand)
      .map(({ args }) => [args[0].input.Username, args[0].input.GroupName]);
    expect(memberships).toEqual([
      [ann, `${run}-team`],
      [ann, `${run}-friends`],
      [bob, `${run}-team`],
      [carol, `${run}-friends`],
    ]);
  });

  test('are unique to each run', async () => {
    await createPoolScenarioUsers(pool);
    await createPoolScenarioUsers(pool);
    expect(new Set(getCreatedUsers()).size).toBe(6);
  });

  test('are deleted with their groups, even if some are already deleted', async () => {
    cognito.on(AdminDeleteUserCommand).rejectsOnce(new UserNotFoundException(error)).resolves({});
    cognito.on(DeleteGroupCommand).rejectsOnce(new ResourceNotFoundException(error)).resolves({});
    const { deleteUsers } = await createPoolScenarioUsers(pool);
    await deleteUsers?.();
    const run = getCreatedUsers()[0]?.slice(0, -'-ann'.length);
    expect(getDeletions()).toEqual([getCreatedUsers(), [`${run}-team`, `${run}-friends`]]);
  });

  test('are deleted if one of them cannot be added to a group', async () => {
    cognito.on(AdminAddUserToGroupCommand).resolvesOnce({}).rejects(new Error('too many requests'));
    await expect(createPoolScenarioUsers(pool)).rejects.toThrow('too many requests');
    expect(getDeletions().map((names) => names.length)).toEqual([3, 2]);
  });
});

describe('The users of tokens in the environment', () => {
  const token = (claims: object) =>
    `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

  test('have the ids from their tokens, and are not deleted', async () => {
    const ANN = token({ sub: 'ann' });
    const users = await readTokenUsers({ ANN, BOB: token({ sub: 'bob' }), CAROL: ANN });
    expect(users).toEqual({
      all: {
        ANN: { id: 'ann', token: ANN },
        BOB: { id: 'bob', token: token({ sub: 'bob' }) },
        CAROL: { id: 'ann', token: ANN },
      },
    });
  });

  test('are undefined if all tokens are missing, and are rejected if some are missing or invalid', async () => {
    expect(await readTokenUsers({})).toBeUndefined();
    await expect(readTokenUsers({ ANN: token({ sub: 'ann' }) })).rejects.toThrow(
      'Missing tokens: BOB, CAROL. Set all of ANN, BOB, CAROL.',
    );
    await expect(readTokenUsers({ ANN: 'a', BOB: 'b', CAROL: 'c' })).rejects.toThrow(
      'ANN is not a valid token (a JWT with a sub).',
    );
  });
});
