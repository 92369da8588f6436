import { describe, expect, test } from '@jest/globals';
import { stageNamed } from '../../lib/stages.ts';
import { operations } from '../../shared/contract/operations.ts';
import { templateOf } from '../support/template-of.ts';

describe('New code', () => {
  const prod = templateOf('prod', stageNamed('prod'));
  const aliases = prod.findResources('AWS::Lambda::Alias');

  test('of prod gets a tenth of the calls first, and is taken back when requests fare badly', () => {
    const groups = Object.values(prod.findResources('AWS::CodeDeploy::DeploymentGroup'));
    expect(groups).toHaveLength(operations.length + 2);
    const alarms = ['ServerErrors', 'SlowRequests', 'AuthorizerErrors'].map((name) => ({
      Name: { Ref: expect.stringContaining(name) },
    }));
    for (const { Properties } of groups) {
      expect(Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
        AlarmConfiguration: { Enabled: true, Alarms: alarms },
      });
    }
    for (const { UpdatePolicy } of Object.values(aliases)) {
      expect(UpdatePolicy).toHaveProperty('CodeDeployLambdaAliasUpdate');
    }
  });

  test('of other stages serves at once', () => {
    const dev = templateOf('dev', stageNamed('dev'));
    dev.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
    dev.resourceCountIs('AWS::Lambda::Alias', operations.length + 2);
  });

  test('is reached by an alias, by the gateway and by the table’s stream', () => {
    const names = Object.keys(aliases).map((id) => `"${id}"`);
    const callers = [
      ...Object.values(prod.findResources('AWS::ApiGateway::Authorizer')),
      ...Object.values(prod.findResources('AWS::Lambda::EventSourceMapping')),
      ...Object.values(prod.findResources('AWS::ApiGateway::Method')).filter(
        ({ Properties }) => Properties.Integration.Type === 'AWS_PROXY',
      ),
    ].map((caller) => JSON.stringify(caller));
    expect(callers).toHaveLength(operations.length + 2);
    for (const caller of callers) {
      expect(names.some((name) => caller.includes(name))).toBe(true);
    }
  });
});
