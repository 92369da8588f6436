import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { getStage } from '../../../../lib/stages.ts';
import { getTemplate } from '../../../support/template/get-template.ts';
import { evaluate, isAlarmRaised, type Series } from '../../../support/template/metric-math.ts';

const template = getTemplate('prod', getStage('prod'));

const Alarm = v.object({
  Metrics: v.array(
    v.object({
      Id: v.string(),
      Expression: v.optional(v.string()),
      ReturnData: v.optional(v.boolean()),
      MetricStat: v.optional(
        v.object({
          Metric: v.object({
            Namespace: v.string(),
            MetricName: v.string(),
            Dimensions: v.array(v.object({ Name: v.string(), Value: v.unknown() })),
          }),
          Period: v.number(),
          Stat: v.string(),
        }),
      ),
    }),
  ),
  Threshold: v.number(),
  EvaluationPeriods: v.number(),
  DatapointsToAlarm: v.number(),
  ComparisonOperator: v.literal('GreaterThanThreshold'),
  TreatMissingData: v.literal('notBreaching'),
});
const [found] = Object.entries(template.findResources('AWS::CloudWatch::Alarm')).filter(([id]) =>
  /PurgeOff/.test(id),
);
const alarm = v.parse(Alarm, found?.[1].Properties);
const { Expression = '' } = alarm.Metrics.find((one) => one.Expression) ?? {};

/** Returns the indexes of the 15-minute periods after which the alarm is in state ALARM. */
const on = (writes: Series, polls: Series) =>
  isAlarmRaised(evaluate(Expression, { writes, polls }), {
    above: alarm.Threshold,
    needed: alarm.DatapointsToAlarm,
    of: alarm.EvaluationPeriods,
  }).flatMap((isRaised, n) => (isRaised ? [n] : []));

const none = undefined;
const busy: Series = Array.from({ length: 20 }, () => 500);
const polled: Series = Array.from({ length: 20 }, () => 3600);
const silent: Series = Array.from({ length: 20 }, () => none);

describe('The alarm for a disabled purge', () => {
  test("compares writes to the table with polls by the purge's event source mapping", () => {
    const [mapping] = Object.keys(template.findResources('AWS::Lambda::EventSourceMapping'));
    const [table] = Object.keys(template.findResources('AWS::DynamoDB::GlobalTable'));
    const stat = (id: string) => alarm.Metrics.find(({ Id }) => Id === id)?.MetricStat;
    expect(stat('writes')).toEqual({
      Metric: {
        Namespace: 'AWS/DynamoDB',
        MetricName: 'ConsumedWriteCapacityUnits',
        Dimensions: [{ Name: 'TableName', Value: { Ref: table } }],
      },
      Period: 900,
      Stat: 'Sum',
    });
    expect(stat('polls')).toEqual({
      Metric: {
        Namespace: 'AWS/Lambda',
        MetricName: 'PolledEventCount',
        Dimensions: [{ Name: 'EventSourceMappingUUID', Value: { Ref: mapping } }],
      },
      Period: 900,
      Stat: 'SampleCount',
    });
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      MetricsConfig: { Metrics: ['EventCount'] },
    });
  });

  test('does not fire while the stream is polled or while nothing is written', () => {
    expect(on(busy, polled)).toEqual([]);
    expect(on(silent, polled)).toEqual([]);
    expect(on(silent, silent)).toEqual([]);
    expect(
      on(
        busy,
        Array.from({ length: 20 }, () => 0.5),
      ),
    ).toEqual([]);
  });

  test('fires 45 minutes after the purge is disabled in a busy stage', () => {
    expect(on(busy, [3600, 3600, ...silent.slice(2)])[0]).toBe(4);
    expect(on(busy, silent)[0]).toBe(2);
  });

  test('fires in a quiet stage after writes in three periods within four hours', () => {
    const writes = [...silent];
    for (const quarter of [1, 7, 14]) writes[quarter] = 2;
    expect(on(writes, silent)[0]).toBe(14);
  });

  test('does not fire if a write at the end of a period is polled in the next period', () => {
    const writes: Series = [none, 1, none, none, 1, none];
    const polls: Series = [3600, none, 3600, 3600, none, 3600];
    expect(on(writes, polls)).toEqual([]);
  });

  test('resolves within four hours after the purge is enabled, before Lambda discards stream records', () => {
    const off = [none, none, none];
    const raised = on(
      Array.from({ length: 24 }, () => 500),
      [...off, ...Array.from({ length: 21 }, () => 3600)],
    );
    expect(raised.at(-1)).toBe(alarm.EvaluationPeriods - 1);
    const seconds = 900 * alarm.EvaluationPeriods;
    const [mapping] = Object.values(template.findResources('AWS::Lambda::EventSourceMapping'));
    expect(mapping?.Properties.MaximumRecordAgeInSeconds).toBeGreaterThanOrEqual(3 * seconds);
  });
});
