import { describe, expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { createTokenEnvironment } from '../../../../lib/constructs/identity/token-environment.ts';
import { getStage, type Stage } from '../../../../lib/stages.ts';

function identityOf(stage: Stage) {
  const stack = new Stack(new App(), 'small');
  const environment: unknown = stack.resolve(createTokenEnvironment(stack, stage));
  const { Resources = {}, Outputs } = Template.fromStack(stack).toJSON();
  const [pool = '', client = ''] = Object.keys(Resources);
  return { environment, Resources, Outputs, pool, client };
}

describe('A stage without its own identity provider', () => {
  const { environment, Resources, Outputs, pool, client } = identityOf(getStage('dev'));

  test('creates a user pool that requires passwords of at least 12 characters and lets only administrators create users', () => {
    expect(Resources[pool]).toMatchObject({
      Type: 'AWS::Cognito::UserPool',
      Properties: {
        AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
        Policies: { PasswordPolicy: { MinimumLength: 12 } },
        Schema: [{ AttributeDataType: 'Boolean', Mutable: false, Name: 'test_user' }],
      },
    });
  });

  test('has one app client, which signs in users with SRP and cannot write their phone number', () => {
    expect(Resources[client]).toMatchObject({
      Type: 'AWS::Cognito::UserPoolClient',
      Properties: {
        ExplicitAuthFlows: [
          'ALLOW_ADMIN_USER_PASSWORD_AUTH',
          'ALLOW_USER_SRP_AUTH',
          'ALLOW_REFRESH_TOKEN_AUTH',
        ],
        PreventUserExistenceErrors: 'ENABLED',
        WriteAttributes: ['email', 'picture', 'preferred_username'],
      },
    });
  });

  test('accepts its user pool’s ID tokens for its app client, and outputs the ids of the pool and the client', () => {
    const issuer = { 'Fn::GetAtt': [pool, 'ProviderURL'] };
    expect(environment).toEqual({
      TOKEN_ISSUER: issuer,
      TOKEN_AUDIENCE: { Ref: client },
      TOKEN_KEYS_URL: { 'Fn::Join': ['', [issuer, '/.well-known/jwks.json']] },
    });
    expect(Outputs).toEqual({
      UserPoolId: { Value: { Ref: pool } },
      UserPoolClientId: { Description: expect.any(String), Value: { Ref: client } },
    });
    expect(Object.keys(Resources)).toEqual([pool, client]);
  });
});

test('Prod retains the user pool and the app client when the stack is deleted', () => {
  const { Resources, pool, client } = identityOf(getStage('prod'));
  const retained = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
  expect(Resources[pool]).toMatchObject({
    ...retained,
    Properties: { DeletionProtection: 'ACTIVE' },
  });
  expect(Resources[client]).toMatchObject(retained);
});

test('A stage with its own issuer accepts that issuer’s tokens and creates no user pool', () => {
  const identity = {
    issuer: 'https://login.example.com',
    audience: 'messaging',
    keysUrl: 'https://login.example.com/keys',
  };
  expect(identityOf({ ...getStage('dev'), identity })).toEqual({
    environment: {
      TOKEN_ISSUER: 'https://login.example.com',
      TOKEN_AUDIENCE: 'messaging',
      TOKEN_KEYS_URL: 'https://login.example.com/keys',
    },
    Resources: {},
    Outputs: undefined,
    pool: '',
    client: '',
  });
});
