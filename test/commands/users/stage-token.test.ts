import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  CognitoIdentityProviderServiceException,
  CreateGroupCommand,
  GroupExistsException,
  NotAuthorizedException,
  ResourceNotFoundException,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import * as v from 'valibot';
import { createStageToken } from '../../../commands/users/stage-token.ts';
import type { StageRequest } from '../../../commands/users/token-request.ts';

const stacks = mockClient(CloudFormationClient);
const cognito = mockClient(CognitoIdentityProviderClient);

const UserPoolId = 'eu-central-1_pool';
const contactId = '5f0c7a52-1c1e-4a53-9d3e-111111111111';
const Username = 'qa-ann';
const inPool = { UserPoolId, Username };
const sub = { Name: 'sub', Value: contactId };
const testUserAttribute = { Name: 'custom:test_user', Value: 'true' };
const error = { message: 'no', $metadata: {} };

const request = (overrides: Partial<StageRequest> = {}): StageRequest => ({
  stage: 'staging',
  user: Username,
  join: [],
  leave: [],
  profile: {},
  onlyId: false,
  yesProd: false,
  ...overrides,
});

beforeEach(() => {
  stacks.reset();
  cognito.reset();
  stacks.on(DescribeStacksCommand, { StackName: 'messaging-staging' }).resolves({
    Stacks: [
      {
        StackName: 'messaging-staging',
        CreationTime: new Date(),
        StackStatus: 'UPDATE_COMPLETE',
        Outputs: [
          { OutputKey: 'UserPoolId', OutputValue: UserPoolId },
          { OutputKey: 'UserPoolClientId', OutputValue: 'client' },
        ],
      },
    ],
  });
  cognito.on(AdminGetUserCommand).resolves({ Username, UserAttributes: [sub, testUserAttribute] });
  cognito
    .on(AdminCreateUserCommand)
    .resolves({ User: { Username, Attributes: [sub, testUserAttribute] } });
  cognito
    .on(AdminInitiateAuthCommand)
    .resolves({ AuthenticationResult: { IdToken: 'the ID token', AccessToken: 'another' } });
});

/** Returns the calls to Cognito in order. Replaces each distinct password with a number. */
function calls() {
  const passwords: string[] = [];
  const numbered = (password: string) => {
    if (!passwords.includes(password)) passwords.push(password);
    return `password ${passwords.indexOf(password) + 1}`;
  };
  return cognito.calls().map(({ args: [command] }) => {
    const text = JSON.stringify(command.input, (key, value) =>
      /^password$/i.test(key) ? numbered(v.parse(v.string(), value)) : value,
    );
    return [command.constructor.name.replace(/Command$/, ''), JSON.parse(text)];
  });
}

const get = ['AdminGetUser', inPool];
const create = (...UserAttributes: object[]) => [
  'AdminCreateUser',
  { ...inPool, MessageAction: 'SUPPRESS', UserAttributes: [testUserAttribute, ...UserAttributes] },
];
const add = (GroupName: string) => ['AdminAddUserToGroup', { ...inPool, GroupName }];
const signIn = (number = 1) => [
  ['AdminSetUserPassword', { ...inPool, Password: `password ${number}`, Permanent: true }],
  [
    'AdminInitiateAuth',
    {
      UserPoolId,
      ClientId: 'client',
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: Username, PASSWORD: `password ${number}` },
    },
  ],
];

describe('The token command for a deployed stage', () => {
  test('for an unknown username, creates the user without sending an email', async () => {
    cognito.on(AdminGetUserCommand).rejects(new UserNotFoundException(error));
    const profile = { username: 'Ann', phone_number: '+1', picture: 'https://a.example/b.png' };
    expect(await createStageToken(request({ profile }))).toEqual({
      contactId,
      token: 'the ID token',
    });
    expect(calls()).toEqual([
      get,
      create(
        { Name: 'preferred_username', Value: 'Ann' },
        { Name: 'phone_number', Value: '+1' },
        { Name: 'picture', Value: 'https://a.example/b.png' },
      ),
      ...signIn(),
    ]);
  });

  test('for an existing test user, changes only the password and signs in', async () => {
    await createStageToken(request());
    await createStageToken(request());
    expect(calls()).toEqual([get, ...signIn(1), get, ...signIn(2)]);
  });

  test('uses a password that satisfies the pool’s policy', async () => {
    await createStageToken(request());
    const [call] = cognito.commandCalls(AdminSetUserPasswordCommand);
    const password = call?.args[0].input.Password ?? '';
    expect([/.{32}/, /[a-z]/, /[A-Z]/, /\d/, /!/].map((rule) => rule.test(password))).toEqual(
      Array(5).fill(true),
    );
  });

  test('sets the requested profile, even for an existing user', async () => {
    await createStageToken(request({ profile: { username: 'Anna' } }));
    const UserAttributes = [{ Name: 'preferred_username', Value: 'Anna' }];
    expect(calls()).toEqual([
      get,
      ['AdminUpdateUserAttributes', { ...inPool, UserAttributes }],
      ...signIn(),
    ]);
  });

  test('adds the user to the requested groups, creates missing groups, and removes no membership', async () => {
    cognito
      .on(AdminAddUserToGroupCommand, { GroupName: 'friends' })
      .rejectsOnce(new ResourceNotFoundException(error))
      .resolves({});
    await createStageToken(request({ join: ['team', 'friends'] }));
    expect(calls()).toEqual([
      get,
      add('team'),
      add('friends'),
      ['CreateGroup', { UserPoolId, GroupName: 'friends' }],
      add('friends'),
      ...signIn(),
    ]);
  });

  test('removes the user from the requested groups, and ignores missing groups', async () => {
    cognito
      .on(AdminRemoveUserFromGroupCommand, { GroupName: 'none' })
      .rejects(new ResourceNotFoundException(error));
    await createStageToken(request({ leave: ['team', 'none'] }));
    expect(calls()).toEqual([
      get,
      ['AdminRemoveUserFromGroup', { ...inPool, GroupName: 'team' }],
      ['AdminRemoveUserFromGroup', { ...inPool, GroupName: 'none' }],
      ...signIn(),
    ]);
  });

  test('issues no token if only the contact id is requested', async () => {
    expect(await createStageToken(request({ onlyId: true }))).toEqual({
      contactId,
      token: undefined,
    });
    expect(calls()).toEqual([get]);
  });

  test('issues no token for a real account, and leaves the account unchanged', async () => {
    cognito.on(AdminGetUserCommand).resolves({ Username, UserAttributes: [sub] });
    await expect(
      createStageToken(request({ join: ['team'], profile: { username: 'A' } })),
    ).rejects.toThrow('qa-ann is a real account: this command uses only test users.');
    expect(calls()).toEqual([get]);
  });
});

describe('Two concurrent commands for the same user', () => {
  test('create one user and one group', async () => {
    cognito
      .on(AdminGetUserCommand)
      .rejectsOnce(new UserNotFoundException(error))
      .resolves({ Username, UserAttributes: [sub, testUserAttribute] });
    cognito.on(AdminCreateUserCommand).rejects(new UsernameExistsException(error));
    cognito
      .on(AdminAddUserToGroupCommand)
      .rejectsOnce(new ResourceNotFoundException(error))
      .resolves({});
    cognito.on(CreateGroupCommand).rejects(new GroupExistsException(error));
    await createStageToken(request({ join: ['team'] }));
    expect(calls()).toEqual([
      get,
      create(),
      get,
      add('team'),
      ['CreateGroup', { UserPoolId, GroupName: 'team' }],
      add('team'),
      ...signIn(),
    ]);
  });

  test('both return a token, although only the last password is valid', async () => {
    cognito
      .on(AdminInitiateAuthCommand)
      .rejectsOnce(new NotAuthorizedException(error))
      .resolves({ AuthenticationResult: { IdToken: 'the ID token' } });
    expect(await createStageToken(request())).toEqual({ contactId, token: 'the ID token' });
    expect(calls()).toEqual([get, ...signIn(1), ...signIn(2)]);
  });
});

describe('The token command fails', () => {
  test("with AWS's message if a permission is missing", async () => {
    cognito.on(AdminGetUserCommand).rejects(
      new CognitoIdentityProviderServiceException({
        name: 'AccessDeniedException',
        $fault: 'client',
        $metadata: {},
        message: 'User: me is not authorized to perform: cognito-idp:AdminGetUser',
      }),
    );
    await expect(createStageToken(request())).rejects.toThrow(
      'Cognito refused the request: User: me is not authorized to perform: cognito-idp:AdminGetUser (docs/deploy.md lists the permissions that the command needs).',
    );
  });

  test('after three sign-in attempts if the user is disabled', async () => {
    cognito
      .on(AdminInitiateAuthCommand)
      .rejects(new NotAuthorizedException({ ...error, message: 'User is disabled.' }));
    await expect(createStageToken(request())).rejects.toThrow(
      'Cognito refused the request: User is disabled. (docs/deploy.md lists the permissions that the command needs).',
    );
    expect(calls()).toEqual([get, ...signIn(1), ...signIn(2), ...signIn(3)]);
  });

  test('if the user must sign in with a second factor', async () => {
    cognito.on(AdminInitiateAuthCommand).resolves({ ChallengeName: 'SOFTWARE_TOKEN_MFA' });
    await expect(createStageToken(request())).rejects.toThrow(
      'qa-ann requires more than a password (SOFTWARE_TOKEN_MFA): delete the user or choose another name.',
    );
  });

  test('if the stack has no user pool', async () => {
    stacks.on(DescribeStacksCommand).resolves({
      Stacks: [
        {
          StackName: 'messaging-staging',
          CreationTime: new Date(),
          StackStatus: 'UPDATE_COMPLETE',
        },
      ],
    });
    await expect(createStageToken(request())).rejects.toThrow(
      'The stack messaging-staging has no output UserPoolId: the stage lacks the corresponding feature, or needs a new deployment.',
    );
    expect(calls()).toEqual([]);
  });
});
