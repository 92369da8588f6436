import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { Template } from '../../../lib/synthesis/template.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import { requireKnownTypes } from '../../../local-cloud/stack/resource-types.ts';

const template = v.parse(Template, {
  Resources: {
    People: { Type: 'AWS::Cognito::UserPool' },
    App: { Type: 'AWS::Cognito::UserPoolClient' },
    Team: { Type: 'AWS::Cognito::UserPoolGroup', Properties: { GroupName: 'team' } },
  },
  Outputs: {
    Pool: { Value: { Ref: 'People' } },
    PoolId: { Value: { 'Fn::GetAtt': ['People', 'UserPoolId'] } },
    PoolArn: { Value: { 'Fn::GetAtt': ['People', 'Arn'] } },
    Issuer: { Value: { 'Fn::GetAtt': ['People', 'ProviderURL'] } },
    Provider: { Value: { 'Fn::GetAtt': ['People', 'ProviderName'] } },
    Client: { Value: { Ref: 'App' } },
    ClientId: { Value: { 'Fn::GetAtt': ['App', 'ClientId'] } },
    Group: { Value: { Ref: 'Team' } },
  },
});

test('The local cloud resolves references to the stack’s user pool without creating one', () => {
  const stack = readStack('small', template);
  expect(() => requireKnownTypes(stack)).not.toThrow();
  const pool = stack.outputs.Pool ?? '';
  const client = stack.outputs.Client ?? '';
  expect(pool).toMatch(/^us-east-1_[0-9a-f]+$/);
  expect(client).toMatch(/^[0-9a-f]+$/);
  expect(stack.outputs).toEqual({
    Pool: pool,
    PoolId: pool,
    PoolArn: `arn:aws:cognito-idp:us-east-1:000000000000:userpool/${pool}`,
    Issuer: `https://cognito-idp.us-east-1.amazonaws.com/${pool}`,
    Provider: `cognito-idp.us-east-1.amazonaws.com/${pool}`,
    Client: client,
    ClientId: client,
    Group: 'team',
  });
});
