import {
  AdminDisableUserCommand,
  AdminListGroupsForUserCommand,
  AdminUserGlobalSignOutCommand,
  CognitoIdentityProviderClient,
  ListUsersCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import type { RunningStage } from '../../../commands/stage/running-stage.ts';
import { suspendPerson } from '../../../commands/users/suspend-person.ts';
import { openLocalIssuer } from '../../../local-cloud/issuer.ts';
import { temporaryFolder } from '../../local-cloud/small-stack.ts';

const cognito = mockClient(CognitoIdentityProviderClient);
const running: RunningStage = {
  output: (name) => `the ${name}`,
  findOutput: () => undefined,
  dynamodb: {},
  sqs: {},
  s3: {},
  ssm: {},
};
const contactId = '5f0c7a52-1c1e-4a53-9d3e-111111111111';
const data = temporaryFolder();

beforeEach(() => {
  cognito.reset();
  cognito.on(AdminListGroupsForUserCommand).resolves({ Groups: [] });
});

describe('Suspending a person', () => {
  test('in a user pool disables the account, then signs it out', async () => {
    const user = { Username: 'bob', Attributes: [{ Name: 'sub', Value: contactId }] };
    cognito.on(ListUsersCommand, { Filter: `sub = "${contactId}"` }).resolves({ Users: [user] });
    const text = await suspendPerson(running, { stage: 'staging', data, contactId });
    expect(text).toContain('Disabled the account bob.');
    const inPool = { UserPoolId: 'the UserPoolId', Username: 'bob' };
    const [disable, signOut] = cognito.calls().slice(-2);
    expect([disable?.args[0], signOut?.args[0]]).toEqual([
      expect.any(AdminDisableUserCommand),
      expect.any(AdminUserGlobalSignOutCommand),
    ]);
    expect([disable?.args[0].input, signOut?.args[0].input]).toEqual([inPool, inPool]);
  });

  test('without an account in the pool fails, and changes nothing', async () => {
    cognito.on(ListUsersCommand).resolves({ Users: [] });
    await expect(suspendPerson(running, { stage: 'staging', data, contactId })).rejects.toThrow(
      `The user pool of staging has no account ${contactId}.`,
    );
    expect(cognito.commandCalls(AdminDisableUserCommand)).toEqual([]);
  });

  test('in the local cloud prevents new tokens for that person only, even if repeated', async () => {
    const issuer = await openLocalIssuer(data);
    await issuer.token('bob');
    for (const id of ['bob', 'bob', 'eve']) {
      await suspendPerson(running, { stage: undefined, data, contactId: id });
    }
    await expect(issuer.token('bob')).rejects.toThrow('bob is suspended.');
    await expect(issuer.token('eve')).rejects.toThrow('eve is suspended.');
    expect(await issuer.token('ann')).toMatch(/^eyJ/);
  });
});
