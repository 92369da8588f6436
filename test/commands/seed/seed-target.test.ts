import {
  AdminDeleteUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  CognitoIdentityProviderClient,
  DeleteGroupCommand,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { openPoolPeople } from '../../../commands/seed/seed-target.ts';

const cognito = mockClient(CognitoIdentityProviderClient);
const pool = {
  client: new CognitoIdentityProviderClient(),
  UserPoolId: 'eu-central-1_pool',
  ClientId: 'client',
};

const addAccount = (name: string, isTestUser: boolean) =>
  cognito.on(AdminGetUserCommand, { Username: name }).resolves({
    Username: name,
    UserAttributes: [
      { Name: 'sub', Value: `sub of ${name}` },
      ...(isTestUser ? [{ Name: 'custom:test_user', Value: 'true' }] : []),
    ],
  });
const getDeletedUsers = () =>
  cognito.commandCalls(AdminDeleteUserCommand).map(({ args }) => args[0].input.Username);

beforeEach(() => {
  cognito.reset();
  cognito.on(DeleteGroupCommand).resolves({});
  cognito
    .on(AdminGetUserCommand)
    .rejects(new UserNotFoundException({ message: 'no', $metadata: {} }));
  cognito.on(AdminInitiateAuthCommand).callsFake(({ AuthParameters }) => ({
    AuthenticationResult: { IdToken: `token of ${AuthParameters.USERNAME}` },
  }));
  addAccount('seed-2', true);
  addAccount('seed-7', true);
});

describe('The seeded people of a user pool', () => {
  test('are found by username, and only these accounts are deleted', async () => {
    const people = openPoolPeople(pool);
    expect(await people.signInExisting()).toEqual([
      { id: 'sub of seed-2', token: 'token of seed-2' },
      { id: 'sub of seed-7', token: 'token of seed-7' },
    ]);
    await people.deleteAccounts();
    expect(getDeletedUsers()).toEqual(['seed-2', 'seed-7']);
  });

  test('are neither used nor deleted if a real account has a seed name', async () => {
    addAccount('seed-1', false);
    const people = openPoolPeople(pool);
    const refusal = 'seed-1 is a real account';
    await expect(people.signIn(2)).rejects.toThrow(refusal);
    await expect(people.signInExisting()).rejects.toThrow(refusal);
    await expect(people.deleteAccounts()).rejects.toThrow(refusal);
    expect(getDeletedUsers()).toEqual([]);
  });
});
