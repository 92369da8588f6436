import { describe, expect, test } from '@jest/globals';
import { countMetrics, countTraces, createBill } from '../../../commands/cost/bill.ts';
import { formatBill } from '../../../commands/cost/format-bill.ts';
import { readStackFacts } from '../../../commands/cost/stack-facts.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { listConversations, operations, sendMessage } from '../../../shared/contract/operations.ts';

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
const facts = readStackFacts({ Resources: resources });

const volumes = {
  requests: new Map(),
  storedGb: 100,
  activeUsers: 12_000,
  listeners: 0,
  listeningHours: 0,
};

const allOperations: readonly Operation[] = operations;
const withoutEvents = allOperations.filter(({ feature }) => !feature).map(({ id }) => id);

describe('A bill', () => {
  test('takes the monthly resources, the features and the trace sampling from the template', () => {
    expect(facts).toEqual({
      monthly: { alarms: 4, dashboards: 1, keys: 0, webAcls: 1, wafRules: 2, customMetrics: 6 },
      users: 'activeUsersLite',
      hasEvents: false,
      hasBus: false,
      hasWebhooks: false,
      hasReadReceipts: false,
      hasAttachments: false,
      hasScans: false,
      hasRecovery: true,
      traces: { perSecond: 2, share: 0.01 },
    });
  });

  test('for a month without traffic contains storage, monitoring, users and the firewall', () => {
    const { idle, month } = createBill(facts, volumes, true);
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
    // US$: alarms 0.40, dashboard 3, metrics 1.80, storage 25, recovery 20, users 66, firewall 7.
    expect(createBill(facts, volumes, false).idle.usd).toBeCloseTo(
      0.4 + 3 + 1.8 + 25 + 20 + 66 + 7,
      9,
    );
  });

  test('has a row for each operation of the stage, with the cost of a million requests', () => {
    const { perMillion } = createBill(facts, volumes, true);
    expect(perMillion.map((row) => row.of).sort()).toEqual(withoutEvents.sort());
    expect(perMillion.find((row) => row.of === 'messages/send')).toMatchObject({
      // Per request: 7.66 write units, 1 read unit, 1.2 Lambda requests and 0.03248 GB-seconds.
      byService: {
        DynamoDB: expect.closeTo(7.66 * 0.625 + 0.125, 6),
        Lambda: expect.closeTo(0.24 + 0.03248 * 13.3334, 6),
        'API Gateway': 3.5,
        WAF: 0.6,
      },
    });
  });

  test('for a month with traffic contains gateway requests, firewall requests and traces', () => {
    const requests = new Map([['messages/send', 5_000_000] as const]);
    const { month } = createBill(facts, { ...volumes, requests }, false);
    const lines = Object.fromEntries(month.lines.map(({ price, usd }) => [price, usd]));
    expect(lines).toMatchObject({ apiRequests: 17.5, wafRequests: 3 });
    expect(lines.traces).toBeCloseTo(5_000_000 * 0.000005, 6);
  });

  test('counts traces by the stack’s sampling rule, and counts the metrics that log lines create', () => {
    expect(countTraces(1000, { perSecond: 1, share: 0.05 })).toBe(1000);
    expect(countTraces(5_000_000, { perSecond: 1, share: 0.05 })).toBe(
      2_628_000 + 0.05 * 2_372_000,
    );
    expect(countTraces(5_000_000, { perSecond: 0, share: 0.01 })).toBe(50_000);
    // Sending has six metrics: milliseconds, cold starts, read units, write units, conflicts and
    // replays.
    // Listing has three: milliseconds, cold starts and read units. The authorizer adds three
    // metrics.
    const [send, list] = [[sendMessage], [listConversations]];
    const noFeatures = { hasEvents: false, hasWebhooks: false };
    const events = { ...noFeatures, hasEvents: true };
    expect([countMetrics(send, noFeatures), countMetrics(list, noFeatures)]).toEqual([
      6 + 3,
      3 + 3,
    ]);
    // The live worker adds two metrics, and each of the listeners' two operations adds three.
    expect([countMetrics(send, events), countMetrics(send, events, true)]).toEqual([11, 11 + 6]);
    // The webhook sender adds three metrics.
    expect(countMetrics(send, { ...events, hasWebhooks: true })).toBe(14);
    expect([countMetrics([], noFeatures), countMetrics([], events)]).toEqual([0, 0]);
  });
});

describe('A bill for a stage with events', () => {
  const Description = 'readers/list: List readers of a conversation';
  const factsWithEvents = readStackFacts({
    Resources: {
      ...resources,
      Push: { Type: 'AWS::AppSync::Api', Properties: {} },
      ReadersList: { Type: 'AWS::Lambda::Function', Properties: { Description } },
      AttachmentsCreate: {
        Type: 'AWS::Lambda::Function',
        Properties: { Description: 'attachments/create: Upload an attachment' },
      },
    },
  });
  const costOfSends = (listeners: number) =>
    createBill(factsWithEvents, { ...volumes, listeners }, false).perMillion.find(
      (row) => row.of === 'messages/send',
    );

  test('has a row for each operation, and includes publishing only for operations that cause events', () => {
    const { perMillion } = createBill(factsWithEvents, volumes, true);
    expect(perMillion.map((row) => row.of)).toEqual(operations.map(({ id }) => id));
    // A send adds entries to 1.8 feeds on average. Each entry costs a write unit and a publication.
    // Every sixteenth entry adds a chunk of 1,124 bytes. The chunk costs one more write unit, or
    // two in a group's feed.
    expect(costOfSends(0)?.byService).toMatchObject({
      DynamoDB: expect.closeTo(
        4.9125 +
          (1.6 * (17 / 16) + 0.2 * (18 / 16)) * 0.625 +
          ((1.8 / 16) * 281) / 1024 ** 2 / 1e-3,
        2,
      ),
      AppSync: expect.closeTo(1.8, 9),
    });
    expect(perMillion.find((row) => row.of === 'messages/retrieve')?.byService).not.toHaveProperty(
      'AppSync',
    );
  });

  test('includes deliveries at $1 per million, data transfer, and feed reads caused by some deliveries', () => {
    const [noFeatures, two, thirty] = [0, 2, 30].map(
      (listeners) => costOfSends(listeners)?.byService,
    );
    expect([two?.AppSync, thirty?.AppSync]).toEqual([
      expect.closeTo(3.8, 9),
      expect.closeTo(31.8, 9),
    ]);
    const gigabytes = 1_000_000 / 1024 ** 3;
    const weight =
      ((two?.['Data out'] ?? 0) - (noFeatures?.['Data out'] ?? 0)) / 2 / 0.09 / gigabytes;
    expect(weight).toBeGreaterThan(700);
    expect(weight).toBeLessThan(2000);
    // One delivery in twenty causes a feed read. 70% of the feed reads take 4 read units, and 30%
    // take 15.
    const reads = 0.7 * 4 + 0.3 * 15;
    expect((two?.DynamoDB ?? 0) - (noFeatures?.DynamoDB ?? 0)).toBeCloseTo(
      2 * 0.05 * reads * 0.125,
      6,
    );
  });

  test('includes listening hours in which no event occurs', () => {
    const { listening, month } = createBill(
      factsWithEvents,
      { ...volumes, listeningHours: 1000 },
      false,
    );
    // The client subscribes three times per hour. Every four hours, it reconnects and resubscribes.
    expect(listening?.byService.AppSync).toBeCloseTo(60 * 0.08 + 3 * 1.25 + 0.25, 9);
    const quantities = Object.fromEntries(
      month.lines.map(({ price, quantity }) => [price, quantity]),
    );
    expect(quantities).toMatchObject({
      appSyncMinutes: 60_000,
      // Five calls of GET /v1/live per hour, plus one call and two feed reads every fourth hour.
      apiRequests: 5750,
    });
  });

  test('includes the event bus, at $1 per million events', () => {
    const getBusCost = (hasBus: boolean) =>
      createBill({ ...factsWithEvents, hasBus }, volumes, false).perMillion.find(
        ({ of }) => of === 'messages/send',
      )?.byService.EventBridge;
    expect(getBusCost(true)).toBeCloseTo(1, 9);
    expect(getBusCost(false)).toBeUndefined();
  });

  test('includes the storage of one megabyte per upload, and a scan if the stage scans files', () => {
    const costOf = (id: string, hasScans: boolean) =>
      createBill({ ...factsWithEvents, hasScans }, volumes, false).perMillion.find(
        ({ of }) => of === id,
      )?.byService;
    const gigabytes = 1_000_000 / 1024;
    const thumbnails = 5 + 5 * 0.4 + ((20 * 1_000_000) / 1024 ** 2) * 0.023;
    const stored = 5 + gigabytes * 0.023 + thumbnails;
    expect(costOf('attachments/create', false)).toMatchObject({ S3: expect.closeTo(stored, 6) });
    expect(costOf('attachments/create', false)).not.toHaveProperty('GuardDuty');
    expect(costOf('attachments/create', true)).toMatchObject({
      S3: expect.closeTo(stored + 0.4, 6),
      GuardDuty: expect.closeTo(215 + gigabytes * 0.09, 6),
    });
    expect(costOf('attachments/create', false)).toMatchObject({ EventBridge: 6 });
    expect(costOf('attachments/retrieve', true)).toMatchObject({ S3: expect.closeTo(0.8, 6) });
  });

  test('includes the webhook sender, whose polling incurs costs even if no event occurs', () => {
    const withWebhooks = { ...factsWithEvents, hasWebhooks: true };
    const queues = (idle: boolean) =>
      createBill(withWebhooks, volumes, idle).idle.lines.find(({ service }) => service === 'SQS');
    expect(queues(false)?.usd).toBeCloseTo(0.53, 2);
    expect(queues(true)?.usd).toBeLessThan(0.2);
    const send = createBill(withWebhooks, volumes, false).perMillion.find(
      ({ of }) => of === 'messages/send',
    );
    expect(send?.byService.SQS).toBeCloseTo(3 * 0.4, 9);
    const without = createBill(factsWithEvents, volumes, false);
    expect(JSON.stringify(without)).not.toContain('SQS');
  });

  test('when formatted, shows the cost of a listening hour and the number of connections per event', () => {
    expect(formatBill('dev', createBill(factsWithEvents, volumes, true))).toMatch(
      /\nan hour of listening .*\n\nEvents are stored in feeds .* to 0 connections/,
    );
  });
});

describe('A formatted bill', () => {
  test('has aligned numbers and a total', () => {
    const lines = formatBill('dev', createBill(facts, volumes, true)).split('\n');
    const title = lines.findIndex((line) => line.startsWith('Without traffic'));
    expect(lines.slice(title, title + 10)).toEqual([
      'Without traffic                          quantity    US$',
      'DynamoDB         GB stored                    100  18.75',
      'DynamoDB         GB of recoverable data       100  20.00',
      'CloudWatch       custom metrics                 6   0.00',
      'CloudWatch       alarms                         4   0.00',
      'CloudWatch       dashboards                     1   0.00',
      'Cognito          active users, Lite        12,000  11.00',
      'WAF              web ACLs                       1   5.00',
      'WAF              rules                          2   2.00',
      'Total                                              56.75',
    ]);
    expect(lines.filter((line) => operations.some(({ id }) => line.startsWith(id)))).toHaveLength(
      withoutEvents.length,
    );
    expect(lines.join('\n')).not.toMatch(/AppSync|listening/);
  });
});
