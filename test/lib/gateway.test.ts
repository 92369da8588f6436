import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { stageNamed } from '../../lib/stages.ts';
import { ErrorReply } from '../../shared/contract/errors.ts';
import { templateOf } from '../support/template-of.ts';

const staging = stageNamed('staging');
const plain = templateOf('staging', staging);
const outputs = (template: typeof plain) => Object.keys(template.findOutputs('*')).sort();

describe('The gateway of a stage', () => {
  test('lets through so many requests a second, traces them, and logs each with its id', () => {
    plain.hasResourceProperties('AWS::ApiGateway::Stage', {
      StageName: 'staging',
      TracingEnabled: true,
      MethodSettings: [
        {
          HttpMethod: '*',
          ResourcePath: '/*',
          ThrottlingRateLimit: 500,
          ThrottlingBurstLimit: 1000,
          DataTraceEnabled: false,
        },
      ],
      AccessLogSetting: {
        Format: Match.serializedJson(
          Match.objectLike({ request_id: '$context.requestId', status: '$context.status' }),
        ),
      },
    });
  });

  test('logs neither queries nor tokens nor ids', () => {
    const [stage] = Object.values(plain.findResources('AWS::ApiGateway::Stage'));
    const Logging = v.object({ AccessLogSetting: v.object({ Format: v.string() }) });
    const { Format } = v.parse(Logging, stage?.Properties).AccessLogSetting;
    expect(Format).not.toMatch(/\$context\.(path|authorizer\.(?!error)|requestOverride)|header/);
  });

  test('speaks TLS 1.2 or later', () => {
    plain.hasResourceProperties('AWS::ApiGateway::RestApi', {
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
      DisableExecuteApiEndpoint: false,
    });
  });

  test('has neither a name of its own nor a firewall unless the stage says so', () => {
    plain.resourceCountIs('AWS::ApiGateway::DomainName', 0);
    plain.resourceCountIs('AWS::WAFv2::WebACL', 0);
    expect(outputs(plain)).not.toContain('DomainTarget');
  });
});

describe('A stage with a name of its own', () => {
  const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/one';
  const template = templateOf('staging', {
    ...staging,
    domain: { name: 'api.example.com', certificateArn },
  });

  test('is reached by it alone, with no stage in the path', () => {
    template.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'api.example.com',
      RegionalCertificateArn: certificateArn,
      SecurityPolicy: 'TLS_1_2',
    });
    template.hasResourceProperties('AWS::ApiGateway::BasePathMapping', {
      BasePath: Match.absent(),
    });
    template.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
    template.hasOutput('ApiUrl', { Value: 'https://api.example.com' });
    expect(outputs(template)).toContain('DomainTarget');
  });
});

describe('A stage with a firewall', () => {
  const template = templateOf('staging', {
    ...staging,
    firewall: { requestsPerFiveMinutes: 3000 },
  });
  const [acl] = Object.values(template.findResources('AWS::WAFv2::WebACL'));
  const Acl = v.object({
    CustomResponseBodies: v.object({ tooMany: v.object({ Content: v.string() }) }),
    Rules: v.array(v.object({ Name: v.string(), Statement: v.unknown(), Action: v.unknown() })),
  });

  test('counts the requests of each token, and answers too many in the one error shape', () => {
    template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1);
    const { Rules, CustomResponseBodies } = v.parse(
      v.object({ ...Acl.entries, Rules: v.tupleWithRest([Acl.entries.Rules.item], v.unknown()) }),
      acl?.Properties,
    );
    expect(Rules[0]).toEqual({
      Name: 'RequestsOfOneToken',
      Statement: {
        RateBasedStatement: {
          Limit: 3000,
          AggregateKeyType: 'CUSTOM_KEYS',
          CustomKeys: [
            {
              Header: {
                Name: 'Authorization',
                TextTransformations: [{ Priority: 0, Type: 'NONE' }],
              },
            },
          ],
        },
      },
      Action: {
        Block: {
          CustomResponse: {
            CustomResponseBodyKey: 'tooMany',
            ResponseCode: 429,
            ResponseHeaders: [{ Name: 'Retry-After', Value: '1' }],
          },
        },
      },
    });
    const body = v.parse(ErrorReply, JSON.parse(CustomResponseBodies.tooMany.Content));
    expect(body).toMatchObject({ type: 'invalid_request', code: 'too_many_requests' });
  });

  test('has AWS’s rules, but none that would stop people from writing what they like', () => {
    const { Rules } = v.parse(v.object({ Rules: v.array(v.unknown()) }), acl?.Properties);
    const Managed = v.object({
      Statement: v.object({
        ManagedRuleGroupStatement: v.object({
          Name: v.string(),
          RuleActionOverrides: v.array(v.object({ Name: v.string() })),
        }),
      }),
    });
    const managed = Rules.slice(1).map((rule) => {
      const { ManagedRuleGroupStatement: group } = v.parse(Managed, rule).Statement;
      return [group.Name, group.RuleActionOverrides.map(({ Name }) => Name)];
    });
    expect(managed).toEqual([
      ['AWSManagedRulesAmazonIpReputationList', []],
      [
        'AWSManagedRulesCommonRuleSet',
        [
          'SizeRestrictions_BODY',
          'CrossSiteScripting_BODY',
          'GenericLFI_BODY',
          'GenericRFI_BODY',
          'EC2MetaDataSSRF_BODY',
          'NoUserAgent_HEADER',
        ],
      ],
      ['AWSManagedRulesKnownBadInputsRuleSet', ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY']],
    ]);
  });
});
