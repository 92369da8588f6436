import { describe, expect, test } from '@jest/globals';
import { getStage } from '../../lib/stages.ts';
import { getTemplate } from '../support/template/get-template.ts';
import { stageWithoutEvents } from '../support/template/stage-variants.ts';

const dev = getTemplate('dev', getStage('dev'));
const [api] = Object.values(dev.findResources('AWS::AppSync::Api'));

describe('The push API', () => {
  test('authorizes listeners by token without caching, and publishers by IAM role', () => {
    expect(api?.Properties.EventConfig).toEqual({
      AuthProviders: [
        {
          AuthType: 'AWS_LAMBDA',
          LambdaAuthorizerConfig: {
            // By default, AppSync caches decisions for five minutes.
            AuthorizerResultTtlInSeconds: 0,
            AuthorizerUri: { Ref: expect.stringMatching(/^ChannelAuthorizerLive/) },
            IdentityValidationExpression: expect.any(String),
          },
        },
        { AuthType: 'AWS_IAM' },
      ],
      ConnectionAuthModes: [{ AuthType: 'AWS_LAMBDA' }],
      DefaultPublishAuthModes: [{ AuthType: 'AWS_IAM' }],
      DefaultSubscribeAuthModes: [{ AuthType: 'AWS_LAMBDA' }],
    });
  });

  test.each([
    ['Token a.b-c._d', true],
    ['token  a.b.c', true],
    ['Bearer a.b.c', true],
    ['a.b.c', true],
    ['a.b', false],
    ['Basic a.b.c', false],
    ['Token a.b.c.d', false],
    ['Token a.b.c ', false],
    ['Token ', false],
    ['x'.repeat(5000), false],
    ['', false],
  ])('calls the authorizer for %j: %s', (token, isCalled) => {
    const [{ LambdaAuthorizerConfig }] = api?.Properties.EventConfig.AuthProviders ?? [];
    const form = new RegExp(LambdaAuthorizerConfig.IdentityValidationExpression, 's');
    expect(form.test(token)).toBe(isCalled);
  });

  test('is behind the firewall, like the API', () => {
    const prod = getTemplate('prod', getStage('prod'));
    const associated = Object.values(prod.findResources('AWS::WAFv2::WebACLAssociation'));
    const [acl] = Object.keys(prod.findResources('AWS::WAFv2::WebACL'));
    expect(associated.map(({ Properties }) => Properties.WebACLArn)).toEqual([
      { 'Fn::GetAtt': [acl, 'Arn'] },
      { 'Fn::GetAtt': [acl, 'Arn'] },
    ]);
    expect(JSON.stringify(associated)).toContain('ApiArn');
    dev.resourceCountIs('AWS::WAFv2::WebACLAssociation', 0);
  });

  test('does not exist in a stage without events', () => {
    const without = JSON.stringify(getTemplate(...stageWithoutEvents).toJSON());
    for (const word of ['AppSync', 'appsync', 'ChannelAuthorizer', 'PUSH_URL', 'LIVE_URL']) {
      expect([word, without.includes(word)]).toEqual([word, false]);
    }
    expect(JSON.stringify(dev.toJSON())).toContain('AppSync');
  });
});
