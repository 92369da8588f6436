import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { bakeTime } from '../../lib/constructs/deploys/gradual-deploys.ts';
import { getFunctionPath } from '../../lib/function-paths.ts';
import { getStage } from '../../lib/stages.ts';
import { operations } from '../../shared/contract/operations.ts';
import {
  evaluateFormula,
  type Series,
  simulateAlarm,
} from '../support/template/alarm-simulator.ts';
import { getTemplate } from '../support/template/get-template.ts';

const prod = getTemplate('prod', getStage('prod'));
const aliases = prod.findResources('AWS::Lambda::Alias');
const groups = Object.values(prod.findResources('AWS::CodeDeploy::DeploymentGroup'));
const failing = Object.entries(prod.findResources('AWS::CloudWatch::Alarm')).filter(([id]) =>
  id.startsWith('MonitoringFailing'),
);
/**
 * Number of functions that are deployed gradually: those of the operations, the reference, the
 * authorizer, and the purge, live and scan workers.
 */
const functions = new Set(operations.map(getFunctionPath)).size + 5;
/** The reference has one function but six methods: three paths with two methods each. */
const additionalMethods = 5;

describe('New code', () => {
  test('in prod and staging receives a tenth of the invocations for five minutes, then all invocations, and is accepted ten minutes later', () => {
    expect(groups).toHaveLength(functions);
    expect(new Set(groups.map(({ Properties }) => Properties.DeploymentConfigName))).toEqual(
      new Set(['CodeDeployDefault.LambdaCanary10Percent5Minutes']),
    );
    const policies = Object.values(aliases).flatMap(({ UpdatePolicy = {} }) =>
      Object.values(UpdatePolicy),
    );
    expect(policies).toHaveLength(functions);
    for (const policy of policies) {
      expect(policy).toEqual({
        ApplicationName: { Ref: expect.stringMatching(/^DeploysApplication/) },
        DeploymentGroupName: { Ref: expect.stringMatching(/^Deploys/) },
        AfterAllowTrafficHook: expect.anything(),
      });
    }
    prod.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { PROVING_SECONDS: String(10 * 60) } },
    });
    getTemplate('staging', getStage('staging')).resourceCountIs(
      'AWS::CodeDeploy::DeploymentGroup',
      functions,
    );
  });

  test('is rolled back completely if any function or the gateway fails', () => {
    // An alarm cannot roll back a completed deployment, so each group watches all alarms.
    const alarms = failing.map(([id]) => ({ Name: { Ref: id } }));
    expect(alarms).toHaveLength(functions + 2);
    for (const { Properties } of groups) {
      expect(Properties).toMatchObject({
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
        AlarmConfiguration: { Enabled: true },
      });
      expect(Properties.AlarmConfiguration.Alarms).toHaveLength(alarms.length);
      expect(Properties.AlarmConfiguration.Alarms).toEqual(expect.arrayContaining(alarms));
    }
    // CodeDeploy's default quota of alarms per deployment group.
    expect(alarms.length).toBeLessThanOrEqual(50);
  });

  test('in other stages receives all calls immediately', () => {
    const dev = getTemplate('dev', getStage('dev'));
    dev.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
    // The channel authorizer, the thumbnail worker and the webhook sender also have aliases.
    dev.resourceCountIs('AWS::Lambda::Alias', functions + 3);
  });

  test("is invoked through an alias by the gateway, the table's stream and the rules for files", () => {
    const names = Object.keys(aliases).map((id) => `"${id}"`);
    const callers = [
      ...Object.values(prod.findResources('AWS::ApiGateway::Authorizer')),
      ...Object.values(prod.findResources('AWS::Lambda::EventSourceMapping')),
      ...Object.values(prod.findResources('AWS::Events::Rule')).filter(
        ({ Properties }) => Properties.EventPattern,
      ),
      ...Object.values(prod.findResources('AWS::ApiGateway::Method')).filter(
        ({ Properties }) => Properties.Integration.Type === 'AWS_PROXY',
      ),
    ].map((caller) => JSON.stringify(caller));
    // `methods` includes the authorizer, two stream mappings and the rule for scan results. The
    // other two callers are the queue of the deployment hook and the rule for thumbnails.
    const methods = operations.length + 5 + additionalMethods;
    expect(callers).toHaveLength(methods + 2);
    for (const caller of callers) {
      expect(names.some((name) => caller.includes(name))).toBe(true);
    }
  });

  test('is deployed to five functions at a time, because Lambda accepts few control plane calls per second', () => {
    const Waiting = v.looseObject({ DependsOn: v.array(v.string()) });
    const all = Object.values(prod.findResources('AWS::Lambda::Function'));
    const versions = Object.keys(prod.findResources('AWS::Lambda::Version'));
    const waitsFor = all.flatMap((one) =>
      v.parse(Waiting, one).DependsOn.filter((id) => versions.includes(id)),
    );
    expect(waitsFor).toHaveLength(functions - 5);
    expect(new Set(waitsFor).size).toBe(waitsFor.length);
  });
});

/** Minutes during which new code receives a tenth of the invocations. */
const canary = 5;
const watched = canary + bakeTime.toMinutes();
/**
 * Maximum delay of an alarm in minutes: a metric arrives up to two minutes late, and alarms
 * evaluate once a minute.
 */
const late = 3;

/**
 * Returns each metric's values by minute. `failureRate` is the share of calls to new code that
 * fail.
 */
function series(callsPerMinute: number, failureRate: number, metric: 'fault' | 'Errors'): Series {
  const calls = toWholeNumbers(() => callsPerMinute);
  const failed = toWholeNumbers(
    (minute) => (calls(minute) ?? 0) * (minute < canary ? 0.1 : 1) * failureRate,
  );
  const none = () => undefined;
  const atGateway = { Count: calls, '5XXError': failed };
  return {
    fault: none,
    'fault of another operation': none,
    Errors: none,
    unknown_key: none,
    Invocations: calls,
    [metric]: failed,
    ...atGateway,
  };
}

/** Rounds data points down, carries fractions over to later minutes, and omits zeros. */
const toWholeNumbers = (inMinute: (minute: number) => number) => {
  const sumUntil = (minute: number) => {
    const minutes = Array.from({ length: minute + 1 }, (_, n) => inMinute(n));
    return Math.floor(minutes.reduce((sum, one) => sum + one, 0) + 1e-9);
  };
  return (minute: number) => sumUntil(minute) - sumUntil(minute - 1) || undefined;
};

const Metrics = v.looseObject({
  Metrics: v.array(
    v.looseObject({
      MetricStat: v.optional(v.looseObject({ Metric: v.looseObject({ MetricName: v.string() }) })),
    }),
  ),
});

/** Renames all fault metrics but the first, so that only one operation of a function has faults. */
function withOneOperation(properties: unknown) {
  const { Metrics: metrics, ...others } = v.parse(Metrics, properties);
  let found = 0;
  return {
    ...others,
    Metrics: metrics.map((metric) => {
      const stat = metric.MetricStat;
      if (stat?.Metric.MetricName !== 'fault' || found++ === 0) return metric;
      const Metric = { ...stat.Metric, MetricName: 'fault of another operation' };
      return { ...metric, MetricStat: { ...stat, Metric } };
    }),
  };
}

describe('In a simulation of new code,', () => {
  const cases = [
    ['fires in minute 1 if all calls of a busy operation fail', 600, 1, 1],
    ['fires in minute 1 if 15% of the calls of a busy operation fail', 600, 0.15, 1],
    ['fires in minute 6 if 5% of the calls of a busy operation fail', 600, 0.05, canary + 1],
    [
      'fires in minute 5 if all calls of an operation with three calls per minute fail',
      3,
      1,
      canary,
    ],
    [
      'fires in minute 7 if all calls of an operation with one call per two minutes fail',
      0.5,
      1,
      canary + 2,
    ],
  ] as const;

  describe.each(failing)('the alarm %s', (_, alarm) => {
    const Properties = withOneOperation(alarm.Properties);

    test.each(cases)('%s', (_, calls, share, minute) => {
      for (const metric of ['fault', 'Errors'] as const) {
        expect(simulateAlarm(Properties, series(calls, share, metric), watched)).toBe(minute);
      }
      expect(minute + late).toBeLessThan(watched);
    });

    test.each([
      ['if one in 10,000 calls fails', series(6000, 0.0001, 'fault')],
      [
        'for a single failure in a quiet minute',
        {
          ...series(1, 0, 'fault'),
          fault: (n: number) => (n === 7 ? 1 : undefined),
          '5XXError': (n: number) => (n === 7 ? 1 : undefined),
        },
      ],
      [
        'for tokens with made-up keys',
        { ...series(6, 0, 'fault'), '5XXError': () => 5, unknown_key: () => 5 },
      ],
      ['without requests', series(0, 1, 'fault')],
      // No alarm can detect this failure; only the scenarios that run after a deployment can.
      ['if all calls of an operation with one call per hour fail', series(1 / 60, 1, 'fault')],
    ])('does not fire %s', (_, metrics) => {
      expect(simulateAlarm(Properties, metrics, watched)).toBeUndefined();
    });
  });
});

test.each([
  ['1 + 2 * 3 - 4 / 2', 5],
  ['IF(a > 2, 1, 0) + IF(a >= 3, 1, 0) + IF(a < 3, 1, 0)', 2],
  ['FILL(nothing, 7) * (a - 1)', 14],
  ['a + nothing', undefined],
  ['a / 0', undefined],
])('The simulator evaluates %s to %s', (formula, result) => {
  expect(evaluateFormula(formula, (id) => (id === 'a' ? 3 : undefined))).toBe(result);
});
