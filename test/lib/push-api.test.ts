import { describe, expect, test } from '@jest/globals';
import { getStage } from '../../lib/stages.ts';
import { getTemplate } from '../support/template/get-template.ts';
import { stageWithoutEvents } from '../support/template/stage-variants.ts';

const dev = getTemplate('dev', getStage('dev'));
const [api] = Object.values(dev.findResources('AWS::AppSync::Api'));

describe('Push', () => {
  test('authorizes listeners by token without caching, and publishers by role', () => {
    expect(api?.Properties.EventConfig).toEqual({
      AuthProviders: [
        {
          AuthType: 'AWS_LAMBDA',
          LambdaAuthorizerConfig: {
            // CDK caches decisions for five minutes by default.
            AuthorizerResultTtlInSeconds: 0,
            AuthorizerUri: { Ref: expect.stringMatching(/^ChannelAuthorizerLive/) },
          },
        },
        { AuthType: 'AWS_IAM' },
      ],
      ConnectionAuthModes: [{ AuthType: 'AWS_LAMBDA' }],
      DefaultPublishAuthModes: [{ AuthType: 'AWS_IAM' }],
      DefaultSubscribeAuthModes: [{ AuthType: 'AWS_LAMBDA' }],
    });
  });

  test("has one namespace, with the API's authorization modes", () => {
    const namespaces = Object.values(dev.findResources('AWS::AppSync::ChannelNamespace'));
    expect(
      namespaces.map(({ Properties: { Name, PublishAuthModes, SubscribeAuthModes } }) => [
        Name,
        PublishAuthModes,
        SubscribeAuthModes,
      ]),
    ).toEqual([['inbox', undefined, undefined]]);
  });

  test('does not exist in a stage without events', () => {
    const without = JSON.stringify(getTemplate(...stageWithoutEvents).toJSON());
    for (const word of ['AppSync', 'appsync', 'ChannelAuthorizer', 'PUSH_URL', 'LIVE_URL']) {
      expect([word, without.includes(word)]).toEqual([word, false]);
    }
    expect(JSON.stringify(dev.toJSON())).toContain('AppSync');
  });
});
