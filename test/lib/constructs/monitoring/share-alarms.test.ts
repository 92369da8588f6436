import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { getStage } from '../../../../lib/stages.ts';
import { getTemplate } from '../../../support/template/get-template.ts';
import { evaluate, isAlarmRaised, type Series } from '../../../support/template/metric-math.ts';

const Alarm = v.object({
  Metrics: v.array(v.object({ Id: v.string(), Expression: v.optional(v.string()) })),
  Threshold: v.number(),
  EvaluationPeriods: v.number(),
  DatapointsToAlarm: v.number(),
});

const findAlarm = (stage: string, name: RegExp) =>
  Object.entries(
    getTemplate(stage, getStage(stage)).findResources('AWS::CloudWatch::Alarm'),
  ).flatMap(([id, { Properties }]) => (name.test(id) ? [Properties] : []));

const createAlarm = (name: RegExp) => {
  const alarm = v.parse(Alarm, findAlarm('prod', name)[0]);
  const { Expression = '' } = alarm.Metrics.find((one) => one.Expression) ?? {};
  return (metrics: Readonly<Record<string, Series>>) =>
    isAlarmRaised(evaluate(Expression, metrics), {
      above: alarm.Threshold,
      needed: alarm.DatapointsToAlarm,
      of: alarm.EvaluationPeriods,
    }).at(-1);
};

describe('The alarm for failed requests', () => {
  const fires = createAlarm(/ServerErrors/);
  const isRaised = (errors: number | undefined, requests: number, made_up?: number) =>
    fires({ errors: [errors], requests: [requests], made_up: [made_up] });

  test('fires if at least five requests and more than 1% of all requests fail', () => {
    expect(isRaised(5, 400)).toBe(true);
    expect(isRaised(5, 500)).toBe(false);
    expect(isRaised(4, 4)).toBe(false);
    expect(isRaised(undefined, 10_000)).toBe(false);
  });

  test('counts all failures except those caused by made-up keys', () => {
    expect(isRaised(5000, 6000, 5000)).toBe(false);
    expect(isRaised(5004, 6000, 5000)).toBe(false);
    expect(isRaised(5100, 6000, 5000)).toBe(true);
  });
});

describe('The alarm for denied tokens', () => {
  const fires = createAlarm(/TokensDenied/);
  const isRaised = (checked: number | undefined, denied?: number, unknown?: number) =>
    fires({ checked: [checked], denied: [denied], unknown: [unknown] });

  test('fires if nearly all tokens are denied, even in a stage with little traffic', () => {
    expect(isRaised(10, 10)).toBe(true);
    expect(isRaised(4000, 3995)).toBe(true);
  });

  test('does not fire if only the probe’s tokens are denied, if the stage is idle, or if some tokens are accepted', () => {
    expect(isRaised(3, 3)).toBe(false);
    expect(isRaised(undefined)).toBe(false);
    expect(isRaised(500, 10)).toBe(false);
  });

  test('does not fire while users’ tokens are accepted, regardless of the number of invalid tokens', () => {
    expect(isRaised(100_010, 100_000)).toBe(false);
  });

  test('does not count tokens with unknown keys as accepted', () => {
    expect(isRaised(120, 100, 20)).toBe(true);
  });
});

describe('The alarm for the share of lost pushes', () => {
  const fires = createAlarm(/LostPushShare/);

  test('fires if a stage with at most one event per hour loses all pushes', () => {
    expect(fires({ lost: [1, undefined, 1], events: [1, undefined, 1] })).toBe(true);
  });

  test('does not fire for a single hour of losses, for few losses among many events, or without data', () => {
    expect(fires({ lost: [9], events: [9] })).toBe(false);
    expect(fires({ lost: [9, 9, 9], events: [90, 90, 90] })).toBe(false);
    expect(fires({ lost: [undefined], events: [undefined] })).toBe(false);
  });
});

test.each(['dev', 'staging', 'prod', 'ann'])(
  'Stage %s has alarms for failures of the channel authorizer and for denied tokens',
  (stage) => {
    expect(findAlarm(stage, /ChannelAuthorizerErrors/)).toEqual([
      expect.objectContaining({
        Namespace: 'AWS/Lambda',
        MetricName: 'Errors',
        Dimensions: [
          { Name: 'FunctionName', Value: { Ref: expect.stringMatching(/^ChannelAuthorizer/) } },
        ],
      }),
    ]);
    expect(findAlarm(stage, /TokensDenied/)).toHaveLength(1);
  },
);
