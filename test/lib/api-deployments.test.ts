import { describe, expect, test } from '@jest/globals';
import { CfnResource, type Stack } from 'aws-cdk-lib';
import { CfnDeployment } from 'aws-cdk-lib/aws-apigateway';
import * as v from 'valibot';
import { deployedResourceTypes } from '../../lib/constructs/api/redeploy-on-change.ts';
import { getStage, type Stage } from '../../lib/stages.ts';
import { takeSample } from '../support/setup/sample-size.ts';
import { createStack } from '../support/template/create-stack.ts';
import { getTemplate } from '../support/template/get-template.ts';

const prod = getStage('prod');

const resourcesOf = (stack: Stack) =>
  stack.node.findAll().filter((one) => CfnResource.isCfnResource(one));
const deploymentOf = (stack: Stack): string => {
  const [one] = resourcesOf(stack).filter((resource) => resource instanceof CfnDeployment);
  return String(stack.resolve(one?.logicalId));
};

/**
 * Returns every property path of the deployed resource types. Each path has one example resource
 * with the property.
 */
function properties(stack: Stack): [path: string, resource: CfnResource][] {
  const Rendered = v.object({
    Resources: v.record(v.string(), v.object({ Properties: v.record(v.string(), v.unknown()) })),
  });
  const found = resourcesOf(stack)
    .filter(({ cfnResourceType }) => deployedResourceTypes.includes(cfnResourceType))
    .flatMap((resource) => {
      const rendered = '_toCloudFormation' in resource && resource._toCloudFormation;
      if (typeof rendered !== 'function') throw new Error('The resource cannot be rendered.');
      const { Resources } = v.parse(Rendered, stack.resolve(rendered.call(resource)));
      return Object.values(Resources).flatMap(({ Properties }) =>
        pathsIn(Properties).map((path): [string, CfnResource] => [
          `${resource.cfnResourceType} ${path}`,
          resource,
        ]),
      );
    });
  return [...new Map(found)];
}

const pathsIn = (value: unknown, at: string[] = []): string[] =>
  typeof value !== 'object' || value === null || at.length === 4
    ? [at.join('.')]
    : Object.entries(value).flatMap(([key, item]) =>
        pathsIn(item, [...at, key.replaceAll('.', '\\.')]),
      );

describe('A change to a deployed resource creates a new API deployment', () => {
  const stack = createStack('prod', prod);
  const known = properties(stack);
  const seen = new Set([deploymentOf(stack)]);

  test.each(takeSample(known, 3))('%s', (path, resource) => {
    resource.addPropertyOverride(path.split(' ')[1] ?? '', 'another');
    const after = deploymentOf(stack);
    expect(seen).not.toContain(after);
    seen.add(after);
  });

  test('for every resource type that a deployment contains', () => {
    const kinds = new Set(known.map(([path]) => path.split(' ')[0]));
    const unused = ['AWS::ApiGateway::Model', 'AWS::ApiGateway::RequestValidator'];
    expect([...kinds, ...unused].sort()).toEqual([...deployedResourceTypes].sort());
    expect(known.length).toBeGreaterThan(40);
  });
});

describe('A change to a stage setting', () => {
  const idWith = (change: Partial<Stage>) =>
    deploymentOf(createStack('prod', { ...prod, ...change }));
  const before = idWith({});

  test('that affects only the API stage, functions or alarms creates no new deployment', () => {
    const change: Partial<Stage> = {
      throttling: { requestsPerSecond: 1, burst: 1 },
      logRetentionDays: 1,
      alarmEmail: 'ops@acme.test',
    };
    expect(idWith(change)).toBe(before);
  });

  test('that affects replies creates a new deployment', () => {
    expect(idWith({ allowedOrigins: ['https://other.test'] })).not.toBe(before);
  });
});

test('An API deployment depends on every resource that it contains', () => {
  const template = getTemplate('prod', prod).toJSON().Resources;
  const entries = Object.entries(
    v.parse(v.record(v.string(), v.looseObject({ Type: v.string() })), template),
  );
  const [deployment] = entries.filter(([, { Type }]) => Type === 'AWS::ApiGateway::Deployment');
  const waitsFor = v.parse(v.array(v.string()), deployment?.[1].DependsOn);
  const served = entries
    .filter(
      ([, { Type }]) => deployedResourceTypes.includes(Type) && Type !== 'AWS::ApiGateway::RestApi',
    )
    .map(([id]) => id);
  expect([...waitsFor].sort()).toEqual(expect.arrayContaining(served.sort()));
});
