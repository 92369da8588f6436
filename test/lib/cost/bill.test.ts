import { describe, expect, test } from '@jest/globals';
import { billFor, metricsOf, tracesOf } from '../../../lib/cost/bill.ts';
import { billText } from '../../../lib/cost/bill-text.ts';
import { stackFacts } from '../../../lib/cost/stack-facts.ts';
import { operations } from '../../../shared/contract/operations.ts';

const resources = {
  Users: { Type: 'AWS::Cognito::UserPool', Properties: { UserPoolTier: 'LITE' } },
  Wall: { Type: 'AWS::WAFv2::WebACL', Properties: { Rules: [{}, {}] } },
  One: { Type: 'AWS::CloudWatch::Alarm', Properties: {} },
  Two: { Type: 'AWS::CloudWatch::Alarm', Properties: {} },
  Formula: {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: { Metrics: [{ Expression: 'a + b' }, { MetricStat: {} }, { MetricStat: {} }] },
  },
  Board: { Type: 'AWS::CloudWatch::Dashboard', Properties: {} },
  Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { TracingEnabled: true } },
  Sampling: {
    Type: 'AWS::XRay::SamplingRule',
    Properties: { SamplingRule: { ReservoirSize: 2, FixedRate: 0.01 } },
  },
  Mapping: { Type: 'AWS::Lambda::EventSourceMapping', Properties: { MetricsConfig: {} } },
  Table: {
    Type: 'AWS::DynamoDB::GlobalTable',
    Properties: {
      Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
    },
  },
};
const facts = stackFacts({ Resources: resources });

const volumes = {
  requests: new Map(),
  storedGb: 100,
  activeUsers: 12_000,
};

describe('A bill', () => {
  test('knows from the template what costs by the month', () => {
    expect(facts).toEqual({
      monthly: { alarms: 4, dashboards: 1, webAcls: 1, wafRules: 2, customMetrics: 6 },
      users: 'activeUsersLite',
      hasRecovery: true,
      traces: { perSecond: 2, share: 0.01 },
    });
  });

  test('of a month in which nothing is sent is what is kept, watched and guarded', () => {
    const { idle, month } = billFor(facts, volumes, true);
    expect(idle.lines.map(({ price, quantity, usd }) => [price, quantity, usd])).toEqual([
      ['storageGb', 100, 18.75],
      ['recoveryGb', 100, 20],
      ['customMetrics', 6, 0],
      ['alarms', 4, 0],
      ['dashboards', 1, 0],
      ['activeUsersLite', 12_000, 11],
      ['webAcls', 1, 5],
      ['wafRules', 2, 2],
    ]);
    expect(idle.usd).toBe(56.75);
    expect(month).toEqual(idle);
    // The alarms 0.40, the dashboard 3, six metrics 1.80, all that is stored 25, and all users 66.
    expect(billFor(facts, volumes, false).idle.usd).toBeCloseTo(
      0.4 + 3 + 1.8 + 25 + 20 + 66 + 7,
      9,
    );
  });

  test('has a line for a million of each operation of the contract', () => {
    const { perMillion } = billFor(facts, volumes, true);
    expect(perMillion.map(({ operation }) => operation).sort()).toEqual(
      operations.map(({ id }) => id).sort(),
    );
    expect(perMillion.find(({ operation }) => operation === 'messages/send')).toMatchObject({
      // 7.6 write units and a read unit; 1.2 requests and 0.032 GB-seconds.
      byService: {
        DynamoDB: expect.closeTo(4.75 + 0.125, 6),
        Lambda: expect.closeTo(0.24 + 0.032 * 13.3334, 6),
        'API Gateway': 3.5,
        WAF: 0.6,
      },
    });
  });

  test('of what was asked for is idle, and the requests, and the traces and logs that follow', () => {
    const requests = new Map([['messages/send', 5_000_000] as const]);
    const { month } = billFor(facts, { ...volumes, requests }, false);
    const lines = Object.fromEntries(month.lines.map(({ price, usd }) => [price, usd]));
    expect(lines).toMatchObject({ apiRequests: 17.5, wafRequests: 3 });
    expect(lines.traces).toBeCloseTo(5_000_000 * 0.000005, 6);
  });

  test('traces as the stack’s rule says, and makes metrics of log lines', () => {
    expect(tracesOf(1000, { perSecond: 1, share: 0.05 })).toBe(1000);
    expect(tracesOf(5_000_000, { perSecond: 1, share: 0.05 })).toBe(2_628_000 + 0.05 * 2_372_000);
    expect(tracesOf(5_000_000, { perSecond: 0, share: 0.01 })).toBe(50_000);
    // Of one operation and the authorizer seven each.
    expect(metricsOf(1)).toBe(14);
  });
});

describe('A bill to read', () => {
  test('has its numbers below one another, and a total', () => {
    const lines = billText('dev', billFor(facts, volumes, true)).split('\n');
    const title = lines.findIndex((line) => line.startsWith('With nothing sent'));
    expect(lines.slice(title, title + 10)).toEqual([
      'With nothing sent                       quantity    US$',
      'DynamoDB           GB stored                 100  18.75',
      'DynamoDB           GB kept recoverable       100  20.00',
      'CloudWatch         custom metrics              6   0.00',
      'CloudWatch         alarms                      4   0.00',
      'CloudWatch         dashboards                  1   0.00',
      'Cognito            active users, Lite     12,000  11.00',
      'WAF                web ACLs                    1   5.00',
      'WAF                rules                       2   2.00',
      'Total                                             56.75',
    ]);
    expect(lines.filter((line) => operations.some(({ id }) => line.startsWith(id)))).toHaveLength(
      operations.length,
    );
  });
});
