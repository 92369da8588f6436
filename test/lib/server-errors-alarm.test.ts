import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { getStage } from '../../lib/stages.ts';
import { getTemplate } from '../support/template/get-template.ts';
import { evaluate } from '../support/template/metric-math.ts';

const Alarm = v.object({
  Metrics: v.array(v.object({ Id: v.string(), Expression: v.optional(v.string()) })),
  Threshold: v.number(),
});
const [found] = Object.entries(
  getTemplate('prod', getStage('prod')).findResources('AWS::CloudWatch::Alarm'),
).filter(([id]) => /ServerErrors/.test(id));
const { Metrics, Threshold } = v.parse(Alarm, found?.[1].Properties);
const { Expression = '' } = Metrics.find((one) => one.Expression) ?? {};

const isRaised = (errors: number | undefined, requests: number, made_up?: number) => {
  const [percent] = evaluate(Expression, {
    errors: [errors],
    requests: [requests],
    made_up: [made_up],
  });
  return percent !== undefined && percent > Threshold;
};

describe('The alarm for failed requests', () => {
  test('fires if more than 1% and at least five requests fail', () => {
    expect(isRaised(5, 400)).toBe(true);
    expect(isRaised(5, 500)).toBe(false);
    expect(isRaised(4, 4)).toBe(false);
    expect(isRaised(undefined, 10_000)).toBe(false);
  });

  test('neither fires for made-up keys nor is hidden by them', () => {
    expect(isRaised(5000, 6000, 5000)).toBe(false);
    expect(isRaised(5004, 6000, 5000)).toBe(false);
    expect(isRaised(5100, 6000, 5000)).toBe(true);
  });
});
