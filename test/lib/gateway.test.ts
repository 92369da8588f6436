import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { getStage } from '../../lib/stages.ts';
import { operations } from '../../shared/contract/operations.ts';
import { getTemplate } from '../support/template/get-template.ts';

const staging = getStage('staging');
const plain = getTemplate('staging', staging);
const dev = getTemplate('dev', getStage('dev'));
const outputs = (template: typeof plain) => Object.keys(template.findOutputs('*')).sort();

/** Paths with lower throttling than the API. */
const referenceSettings = Object.entries({
  '~1docs': 5,
  '~1docs~1{page}': 5,
  '~1docs~1assets~1{file}': 2,
}).flatMap(([path, perSecond]) =>
  ['GET', 'HEAD'].map((HttpMethod) =>
    Match.objectLike({
      HttpMethod,
      ResourcePath: `/${path}`,
      ThrottlingRateLimit: perSecond,
      ThrottlingBurstLimit: 50,
    }),
  ),
);

describe('The gateway of a stage', () => {
  test('throttles, traces and logs each request with its id', () => {
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
        ...referenceSettings,
      ],
      AccessLogSetting: {
        Format: Match.serializedJson(
          Match.objectLike({ request_id: '$context.requestId', status: '$context.status' }),
        ),
      },
    });
  });

  test("has its own sampling rule, independent of the account's rules", () => {
    plain.hasResourceProperties('AWS::XRay::SamplingRule', {
      SamplingRule: {
        RuleName: 'messaging-staging',
        ServiceName: 'messaging-staging/staging',
        ServiceType: 'AWS::ApiGateway::Stage',
        ReservoirSize: 1,
        FixedRate: 0.01,
        Priority: 1000,
        Host: '*',
        HTTPMethod: '*',
        URLPath: '*',
        ResourceARN: '*',
        Version: 1,
      },
    });
    plain.hasResourceProperties('AWS::ApiGateway::RestApi', { Name: 'messaging-staging' });
    dev.hasResourceProperties('AWS::XRay::SamplingRule', {
      SamplingRule: { ServiceName: 'messaging-dev/dev', FixedRate: 1 },
    });
  });

  test('logs no queries, tokens or ids', () => {
    const [stage] = Object.values(plain.findResources('AWS::ApiGateway::Stage'));
    const Logging = v.object({ AccessLogSetting: v.object({ Format: v.string() }) });
    const { Format } = v.parse(Logging, stage?.Properties).AccessLogSetting;
    expect(Format).not.toMatch(/\$context\.(path|authorizer\.(?!error)|requestOverride)|header/);
  });

  test('requires TLS 1.2 or later', () => {
    plain.hasResourceProperties('AWS::ApiGateway::RestApi', {
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
      DisableExecuteApiEndpoint: false,
    });
  });

  test('has no custom domain and no firewall by default', () => {
    dev.resourceCountIs('AWS::ApiGateway::DomainName', 0);
    dev.resourceCountIs('AWS::WAFv2::WebACL', 0);
    expect(outputs(dev)).not.toContain('DomainTarget');
  });
});

describe('A stage with a custom domain', () => {
  const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/one';
  const template = getTemplate('staging', {
    ...staging,
    domain: { name: 'api.example.com', certificateArn },
  });

  test('is reachable by it only, without the stage in the path', () => {
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
  const template = getTemplate('staging', {
    ...staging,
    firewall: { requestsPerMinute: { perToken: 300, perPerson: 600, perAddress: 3000 } },
  });
  const [acl] = Object.values(template.findResources('AWS::WAFv2::WebACL'));
  const { Rules } = v.parse(
    v.object({ Rules: v.array(v.looseObject({ Name: v.string(), Statement: v.unknown() })) }),
    acl?.Properties,
  );
  const rule = (name: string) => Rules.find(({ Name }) => Name === name);

  test('puts it before the API and the push API, with its limits before managed rules', () => {
    template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 2);
    expect(Rules.map(({ Name, Priority }) => [Name, Priority])).toEqual([
      ['Publishing', 0],
      ['RequestsOfOneAddress', 1],
      ['RequestsOfOneToken', 2],
      ['AWSManagedRulesAmazonIpReputationList', 3],
      ['AWSManagedRulesCommonRuleSet', 4],
      ['AWSManagedRulesKnownBadInputsRuleSet', 5],
      ['Attacks', 6],
    ]);
  });

  test('counts by the address of the connection and by the token', () => {
    expect(rule('RequestsOfOneAddress')?.Statement).toEqual({
      RateBasedStatement: { Limit: 3000, EvaluationWindowSec: 60, AggregateKeyType: 'IP' },
    });
    expect(rule('RequestsOfOneToken')?.Statement).toEqual({
      RateBasedStatement: {
        Limit: 300,
        EvaluationWindowSec: 60,
        AggregateKeyType: 'CUSTOM_KEYS',
        CustomKeys: [
          {
            Header: {
              Name: 'Authorization',
              TextTransformations: [
                { Priority: 0, Type: 'COMPRESS_WHITE_SPACE' },
                { Priority: 1, Type: 'LOWERCASE' },
              ],
            },
          },
        ],
      },
    });
  });

  test('is reachable by IPv4 only, because a client has too many IPv6 addresses to count', () => {
    template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['REGIONAL'], IpAddressType: Match.absent() },
    });
  });
});

test('Prod has a firewall with both limits, and so does staging', () => {
  expect(getStage('prod').firewall).toEqual({
    requestsPerMinute: { perToken: 600, perPerson: 1200, perAddress: 6000 },
  });
  expect(getStage('staging').firewall).toEqual(getStage('prod').firewall);
});

test('Each operation counts requests of a person in stages with a firewall, and no other function does', () => {
  const countingIn = (stage: string) =>
    Object.entries(getTemplate(stage, getStage(stage)).findResources('AWS::Lambda::Function'))
      .filter(([, { Properties }]) =>
        JSON.stringify(Properties.Environment).includes('"REQUESTS_PER_MINUTE_PER_PERSON":"1200"'),
      )
      .map(([id]) => id);
  const granted = (stage: string) =>
    JSON.stringify(getTemplate(stage, getStage(stage)).findResources('AWS::IAM::Role')).split(
      '"REQUESTS#*"',
    ).length - 1;
  expect([countingIn('prod').length, granted('prod')]).toEqual([
    operations.length,
    operations.length,
  ]);
  expect([countingIn('dev').length, granted('dev')]).toEqual([0, 0]);
});
