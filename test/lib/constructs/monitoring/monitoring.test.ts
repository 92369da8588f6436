import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { AlarmTopic } from '../../../../lib/constructs/monitoring/alarm-topic.ts';
import { getStage } from '../../../../lib/stages.ts';
import { readAssembly } from '../../../../lib/synthesis/synthesis.ts';
import { operations } from '../../../../shared/contract/operations.ts';
import { env } from '../../../../shared/env.ts';
import { metrics, metricsOf } from '../../../../shared/log/metrics.ts';
import { testStages } from '../../../support/template/stage-variants.ts';
import { captureSampleLines } from '../../../support/workers/sample-log-lines.ts';
import '../../../support/setup/use-table.ts';
import { getTemplate } from '../../../support/template/get-template.ts';

const root = join(import.meta.dirname, '../../../..');
const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');

const Resources = v.record(
  v.string(),
  v.looseObject({ Type: v.string(), Properties: v.optional(v.looseObject({}), {}) }),
);
let resources: v.InferOutput<typeof Resources>;
const ofType = (type: string) =>
  Object.entries(resources).filter(([, resource]) => resource.Type === type);

beforeAll(async () => {
  resources = v.parse(Resources, (await readAssembly(env('TEST_ASSEMBLY'))).template.Resources);
});
const MetricStat = v.object({
  MetricStat: v.object({
    Metric: v.object({ Namespace: v.string(), MetricName: v.string() }),
  }),
});
const Alarm = v.looseObject({
  AlarmDescription: v.string(),
  AlarmActions: v.array(v.unknown()),
  OKActions: v.array(v.unknown()),
  TreatMissingData: v.picklist(['notBreaching', 'breaching']),
  Namespace: v.optional(v.string()),
  MetricName: v.optional(v.string()),
  Metrics: v.optional(v.array(v.unknown()), []),
});

const everything = testStages.find(([name]) => name === 'everything')?.[1] ?? getStage('prod');
const withEverything = getTemplate('everything', everything);
const alarms = () =>
  Object.entries(withEverything.findResources('AWS::CloudWatch::Alarm')).map(
    ([id, { Properties }]) => ({
      name: id.replace(/^Monitoring/, '').replace(/[0-9A-F]{8}$/, ''),
      ...v.parse(Alarm, Properties),
    }),
  );
/** Returns an alarm's name in the runbook. Alarms that exist per function share an entry. */
const inRunbook = (name: string) => name.replace(/^Failing(?!Gateway$).*/, 'Failing…');

const entries = () =>
  page('runbook.md')
    .split(/^## /m)
    .slice(1)
    .map((entry) => {
      const [title = '', ...text] = entry.split('\n');
      const named = /^\*\*Alarm\*\* ([^:(]*)/m.exec(text.join('\n'))?.[1] ?? '';
      return {
        anchor: title.toLowerCase().replaceAll(' ', '-'),
        names: [...named.matchAll(/`(\w+…?)`/g)].map(([, name]) => name),
      };
    });

describe('Each alarm', () => {
  test('links to its runbook entry, and each entry names its alarms', () => {
    const described = alarms().map(({ name, AlarmDescription }) => ({
      name: inRunbook(name),
      anchor: /: docs\/runbook\.md#([a-z-]+)$/.exec(AlarmDescription)?.[1],
    }));
    const written = entries().flatMap(({ anchor, names }) =>
      names.map((name) => ({ name, anchor })),
    );
    const pairs = (rows: { name?: string | undefined; anchor?: string | undefined }[]) =>
      [...new Set(rows.map(({ name, anchor }) => `${name} ${anchor}`))].sort();
    const [alarmPairs, runbookPairs] = [pairs(described), pairs(written)];
    expect({
      'missing in docs/runbook.md': alarmPairs.filter((pair) => !runbookPairs.includes(pair)),
      'only in docs/runbook.md': runbookPairs.filter((pair) => !alarmPairs.includes(pair)),
    }).toEqual({ 'missing in docs/runbook.md': [], 'only in docs/runbook.md': [] });
    expect(described.length).toBeGreaterThan(20);
  });

  test('notifies the topic for its severity when it fires and when it resolves', () => {
    const topics = Object.keys(withEverything.findResources('AWS::SNS::Topic'));
    const topicOf = (severity = '') =>
      topics.filter((id) => id.startsWith(`Monitoring${severity}Topic`)).map((Ref) => ({ Ref }));
    for (const { AlarmDescription, AlarmActions, OKActions } of alarms()) {
      const [severity = ''] = AlarmDescription.split(':');
      const topic = topicOf(severity === 'page' ? 'Page' : 'Ticket');
      expect(topic).toHaveLength(1);
      expect([severity, AlarmActions, OKActions]).toEqual([
        expect.stringMatching(/^(page|ticket)$/),
        topic,
        topic,
      ]);
    }
  });

  test('does not fire on missing data, unless missing data is the symptom', () => {
    const breaching = alarms().filter(({ TreatMissingData }) => TreatMissingData === 'breaching');
    expect(breaching.map(({ name }) => name)).toEqual(['ProbeFails']);
  });

  test('uses at most 10 metrics, the maximum per alarm', () => {
    const counts = alarms().map(
      ({ Metrics }) => Metrics.filter((one) => v.is(MetricStat, one)).length,
    );
    expect(Math.max(...counts)).toBeLessThanOrEqual(10);
  });

  test('uses only AWS metrics and metrics that functions send', () => {
    const stats = alarms()
      .flatMap(({ Metrics }) => Metrics)
      .flatMap((one) => (v.is(MetricStat, one) ? one.MetricStat.Metric : []));
    const own = stats.filter(({ Namespace }) => !Namespace.startsWith('AWS/'));
    expect(new Set(own.map(({ Namespace }) => Namespace))).toEqual(
      new Set(['messaging-everything']),
    );
    const names = own.map(({ MetricName }) => MetricName);
    expect(names.length).toBeGreaterThan(20);
    expect(Object.keys(metrics)).toEqual(expect.arrayContaining(names));
  });
});

test('Functions send their metrics to the namespace that the alarms and the dashboard read', () => {
  const variables = ofType('AWS::Lambda::Function').map(
    ([, { Properties }]) => Properties.Environment,
  );
  expect(variables).toEqual(
    variables.map(() => ({
      Variables: expect.objectContaining({ METRICS_NAMESPACE: 'messaging-dev' }),
    })),
  );
});

test.each(['dev', 'staging', 'prod'])(
  'The log level of stage %s includes the lines with metrics',
  (name) => {
    expect(['INFO', 'DEBUG', 'TRACE']).toContain(getStage(name).logLevel);
  },
);

test('Each stage uses a separate metrics namespace', () => {
  const text = JSON.stringify(getTemplate('staging', getStage('staging')).toJSON());
  expect(text).toContain('messaging-staging');
  expect(text).not.toContain('messaging-dev');
});

test('Log lines contain exactly the metrics that an alarm or the dashboard reads', () => {
  const template = JSON.stringify(withEverything.toJSON()).replaceAll('\\', '');
  const inDashboard = [...template.matchAll(/"(\w+)","operation","([\w/-]+)"/g)].map(
    ([, metric, operation]) => `${operation} ${metric}`,
  );
  const inAlarms = [
    ...template.matchAll(/"Name":"operation","Value":"([\w/-]+)"\}\],"MetricName":"(\w+)"/g),
  ].map(([, operation, metric]) => `${operation} ${metric}`);
  const others = [
    ...['authorizer', 'channel-authorizer', 'live', 'probe', 'purge', 'scan'],
    ...['thumbnails', 'webhooks'],
  ];
  const emitted = [...operations.map(({ id }) => id), ...others].flatMap((operation) =>
    metricsOf(operation).map((metric) => `${operation} ${metric}`),
  );
  const read = new Set([...inDashboard, ...inAlarms]);
  // The /docs function writes no log line, so it emits no fault metric.
  expect([...read].filter((one) => one !== 'docs fault').sort()).toEqual(emitted.sort());
});

describe('The alarm topic', () => {
  const topicOf = (alarmEmail?: string) => {
    const stack = new Stack(new App(), 'Some');
    new AlarmTopic(stack, 'Topic', 'page', {
      ...getStage('dev'),
      ...(alarmEmail && { alarmEmail }),
    });
    return Template.fromStack(stack);
  };

  test("accepts messages from the account's alarms, and only over TLS", () => {
    topicOf().hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: [
          {
            Effect: 'Deny',
            Principal: '*',
            Action: 'sns:Publish',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
          {
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Action: 'sns:Publish',
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ],
      },
    });
  });

  test('does not use the AWS-managed key, because alarms cannot use that key', () => {
    const topics = topicOf().findResources('AWS::SNS::Topic');
    expect(JSON.stringify(topics)).not.toContain('KmsMasterKeyId');
  });

  test("notifies the stage's e-mail address if the stage has one", () => {
    topicOf('ops@example.com').hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
    topicOf().resourceCountIs('AWS::SNS::Subscription', 0);
  });
});

describe('The documentation pages', () => {
  /** Fields that Logs Insights adds. */
  const builtIn = ['@timestamp', '@log', '@message'];
  const language =
    /^(fields|filter|stats|sort|limit|by|as|and|or|not|like|desc|asc|in|\d\w*|ispresent|count|sum|max|min|avg|pct|bin|latest)$/;

  /**
   * Fields that only the probe logs. No sample line has these fields, because the probe needs an
   * API.
   */
  const ofProbe = ['open_report_seconds'];
  let ofFunctions: string[];
  let ofGateway: string[];
  beforeAll(async () => {
    ofFunctions = [...new Set((await captureSampleLines()).flatMap((line) => Object.keys(line)))];
    const [stage] = ofType('AWS::ApiGateway::Stage');
    const Format = v.object({
      AccessLogSetting: v.object({ Format: v.pipe(v.string(), v.parseJson(), v.looseObject({})) }),
    });
    ofGateway = Object.keys(v.parse(Format, stage?.[1].Properties).AccessLogSetting.Format);
  });

  const queries = () =>
    [...page('runbook.md').matchAll(/```insights\n([\s\S]*?)```/g)].map(([, query = '']) => query);

  function fieldsOf(query: string): string[] {
    const own = [...query.matchAll(/ as (\w+)/g)].map(([, name]) => name);
    const words = query.replace(/"[^"]*"|\/[^/\n]*\//g, '').match(/@?\w+/g) ?? [];
    return words.filter((word) => !language.test(word) && !own.includes(word));
  }

  test('query only fields that log lines contain', () => {
    const known = [...builtIn, ...ofFunctions, ...ofGateway, ...ofProbe, 'endpoint'];
    expect(
      queries()
        .flatMap(fieldsOf)
        .filter((field) => !known.includes(field)),
    ).toEqual([]);
    expect(queries().length).toBeGreaterThan(10);
  });

  test("describe exactly the fields of functions' log lines, and mark the metrics", () => {
    const [table = ''] = /^\| field [\s\S]*?\n\n/m.exec(page('observability.md')) ?? [];
    const rows = table.split('\n').slice(2, -2);
    const described = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, field]) => field),
    );
    // The sample lines do not contain the following fields.
    const ofFeeds = ['maintained', 'idle'];
    const others = [
      'not_deleted',
      'asked',
      'recorded',
      'overdue_scans',
      'denied',
      'lost_marks',
      'refused',
      'unknown_key',
      'bus_failures',
      'auto_replies',
    ];
    const ofWebhooks = ['delivered', 'failed_attempts', 'oldest_seconds'];
    const ofThumbnails = ['made', 'removed', 'refusal'];
    const ofAttempts = ['endpoint', 'event', 'type', 'attempt'];
    const otherFields = [
      ...others,
      ...ofFeeds,
      ...ofProbe,
      ...ofWebhooks,
      ...ofThumbnails,
      ...ofAttempts,
    ];
    expect(described.sort()).toEqual([...ofFunctions, ...otherFields].sort());
    const withMetric = rows.filter((row) => /\| yes/.test(row));
    expect(withMetric.map((row) => /`(\w+)`/.exec(row)?.[1]).sort()).toEqual(
      Object.keys(metrics).sort(),
    );
  });

  test("list the additional fields of the gateway's log line", () => {
    const additional = ofGateway.filter((field) => !ofFunctions.includes(field));
    expect(
      additional.filter((field) => !page('observability.md').includes(`\`${field}\``)),
    ).toEqual([]);
  });
});
