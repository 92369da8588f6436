import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { getFunctionPath } from '../../lib/function-paths.ts';
import { getStage } from '../../lib/stages.ts';
import { operations } from '../../shared/contract/operations.ts';
import { getTemplate } from '../support/template/get-template.ts';
import { getVariant } from '../support/template/stage-variants.ts';

const plain = getTemplate('staging', getStage('staging'));
const outputs = (template: typeof plain) => Object.keys(template.findOutputs('*')).sort();

describe('The gateway of a stage', () => {
  test('logs no query strings, tokens or ids', () => {
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
});

describe('A stage with a custom domain', () => {
  const [name, stage] = getVariant('dev-domain');
  const template = getTemplate(name, stage);

  test('is reachable only at that domain, without the stage in the path', () => {
    template.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'api.example.com',
      RegionalCertificateArn: stage.domain?.certificateArn,
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

test('A stage with a firewall supports only IPv4, because a client could evade the per-address limit by using many IPv6 addresses', () => {
  plain.hasResourceProperties('AWS::ApiGateway::RestApi', {
    EndpointConfiguration: { Types: ['REGIONAL'], IpAddressType: Match.absent() },
  });
});

test('The firewalls of prod and staging have the same limits per token, per person and per address', () => {
  expect(getStage('prod').firewall).toEqual({
    requestsPerMinute: { perToken: 600, perPerson: 1200, perAddress: 6000 },
  });
  expect(getStage('staging').firewall).toEqual(getStage('prod').firewall);
});

test('In stages with a firewall, only the functions that serve operations count requests per person', () => {
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
  const functions = new Set(operations.map(getFunctionPath)).size;
  expect([countingIn('prod').length, granted('prod')]).toEqual([functions, functions]);
  expect([countingIn('dev').length, granted('dev')]).toEqual([0, 0]);
});
