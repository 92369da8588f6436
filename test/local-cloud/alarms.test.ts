import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect } from '@jest/globals';
import * as v from 'valibot';
import { toLocalServiceConfig } from '../../commands/stage/running-stage.ts';
import { getStage } from '../../lib/stages.ts';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import type { Assembly } from '../../lib/synthesis/template.ts';
import { type Cloud, startCloud } from '../../local-cloud/cloud.ts';
import { openLocalIssuer, type TokenClaims } from '../../local-cloud/issuer.ts';
import { listen } from '../../local-cloud/listen.ts';
import type { TableFault } from '../../local-cloud/table/table-proxy.ts';
import { env } from '../../shared/env.ts';
import { conversationKey } from '../../shared/table/keys/keys.ts';
import { connectListener } from '../support/processes/push-listener.ts';
import { raiseTimeouts } from '../support/processes/raise-timeouts.ts';
import { terminalEnvironment } from '../support/processes/run-command.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import { thoroughDescribe, thoroughTest } from '../support/setup/sample-size.ts';
import { getTemplate } from '../support/template/get-template.ts';
import { evaluate } from '../support/template/metric-math.ts';
import { temporaryFolder } from './small-stack.ts';

const Dimension = v.object({ Name: v.string(), Value: v.unknown() });
const Metric = v.object({
  Namespace: v.unknown(),
  MetricName: v.string(),
  Dimensions: v.optional(v.array(Dimension), []),
});
const Alarm = v.object({
  ...v.partial(Metric).entries,
  Statistic: v.optional(v.string()),
  Threshold: v.number(),
  Metrics: v.optional(
    v.array(
      v.object({
        Id: v.string(),
        Expression: v.optional(v.string()),
        MetricStat: v.optional(v.object({ Metric, Stat: v.string() })),
      }),
    ),
  ),
});
const Ref = v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) });
const LogLine = v.record(v.string(), v.unknown());
const FunctionLine = v.pipe(v.string(), v.parseJson(), LogLine);
const Created = v.object({ id: v.string() });
const Live = v.object({ url: v.string(), host: v.string() });

const alarms = getTemplate('prod', getStage('prod')).findResources('AWS::CloudWatch::Alarm');

thoroughDescribe('A raised alarm', () => {
  const dataDirectory = temporaryFolder();
  let cloud: Cloud;
  let assembly: Assembly;
  let table: DynamoDBDocumentClient;
  let fault: { functionName: RegExp; kind: TableFault } | undefined;
  let lines: v.InferOutput<typeof LogLine>[] = [];
  let statuses: number[] = [];
  let callers = 0;
  let sendsKeys = true;
  let keyServer: Awaited<ReturnType<typeof listen>>;

  beforeAll(async () => {
    assembly = raiseTimeouts(await readAssembly(env('TEST_ASSEMBLY')));
    for (const { Properties } of Object.values(assembly.template.Resources)) {
      // Only stream mappings have a starting position.
      if (!('StartingPosition' in Properties)) continue;
      Object.assign(Properties, { MaximumRetryAttempts: 1, MaximumBatchingWindowInSeconds: 1 });
    }
    const { keySet } = await openLocalIssuer(dataDirectory);
    keyServer = await listen(
      createServer((_, response) =>
        sendsKeys ? response.end(JSON.stringify(keySet)) : response.writeHead(500).end(),
      ),
      0,
    );
    cloud = await startCloud({
      port: 0,
      keysUrl: `http://127.0.0.1:${keyServer.port}/`,
      inMemory: true,
      dataDirectory,
      assembly,
      log: (line) => {
        // Lines have the form `[LogicalId] {…}`.
        const read = v.safeParse(FunctionLine, line.replace(/^\[\w+\] /, ''));
        if (read.success) lines.push(read.output);
      },
      onExchange: ({ reply }) => statuses.push(reply.status),
      onTableCall: ({ functionId }) =>
        fault?.functionName.test(functionId) ? fault.kind : undefined,
    });
    table = DynamoDBDocumentClient.from(
      new DynamoDBClient(toLocalServiceConfig(cloud.tableEndpoint)),
    );
  });
  afterAll(async () => {
    table.destroy();
    await cloud.stop();
    await keyServer.close();
  });

  /** Returns the value that CloudWatch would report for the time since the last `reset`. */
  function measure({ MetricName, Dimensions }: v.InferOutput<typeof Metric>, stat: string) {
    const dimension = (name: string) => Dimensions.find(({ Name }) => Name === name)?.Value;
    const queue = v.safeParse(Ref, dimension('QueueName'));
    if (queue.success) return cloud.queues.get(queue.output['Fn::GetAtt'][0])?.length ?? 0;
    if (MetricName === 'Count') return statuses.length;
    if (MetricName === '5XXError') return statuses.filter((status) => status >= 500).length;
    const isError = MetricName === 'Errors';
    const isChannel = /Channel/.test(JSON.stringify(dimension('FunctionName')));
    const authorizer = isChannel ? 'channel-authorizer' : 'authorizer';
    const operation = isError ? authorizer : dimension('operation');
    const values = lines
      .filter((line) => line.operation === operation)
      .map((line) => Number(isError ? 'cause' in line : (line[MetricName] ?? 0)));
    if (stat === 'SampleCount') return values.length;
    return stat === 'Maximum' ? Math.max(0, ...values) : values.reduce((a, b) => a + b, 0);
  }

  function isRaised(name: string): boolean {
    const [found] = Object.entries(alarms).filter(([id]) => id.includes(`Monitoring${name}`));
    const alarm = v.parse(Alarm, found?.[1].Properties);
    const { Metrics = [], Threshold } = alarm;
    const series = Metrics.flatMap(({ Id, MetricStat }) =>
      MetricStat ? [[Id, [measure(MetricStat.Metric, MetricStat.Stat)]] as const] : [],
    );
    const expression = Metrics.find(({ Expression }) => Expression)?.Expression;
    const value =
      Metrics.length === 0
        ? measure(v.parse(Metric, alarm), alarm.Statistic ?? '')
        : evaluate(expression ?? Metrics[0]?.Id ?? '', Object.fromEntries(series))[0];
    return (value ?? 0) > Threshold;
  }

  const reset = () => {
    lines = [];
    statuses = [];
  };

  async function post(
    path: string,
    body: object,
    caller = 'ann',
    claims: TokenClaims = {},
  ): Promise<Response> {
    const headers = {
      Authorization: `Bearer ${await cloud.token(caller, claims)}`,
      'Content-Type': 'application/json',
    };
    return fetch(`${cloud.url}/v1/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
  }
  const createConversation = async () =>
    v.parse(Created, await (await post('conversations', { contact_id: 'bob' })).json()).id;

  /**
   * Creates 12 conversations, each as a new caller, because the gateway caches decisions per token.
   */
  async function makeRequests(claims: TokenClaims = {}) {
    for (let n = 0; n < 12; n++) {
      callers += 1;
      await post('conversations', { contact_id: 'bob' }, `caller-${callers}`, claims);
    }
  }

  async function deleteConversation(id: string, secondsAgo: number) {
    const headers = { Authorization: `Bearer ${await cloud.token('ann')}` };
    await fetch(`${cloud.url}/v1/conversations/${id}`, { method: 'DELETE', headers });
    await table.send(
      new UpdateCommand({
        TableName: cloud.tableName,
        Key: conversationKey(id),
        UpdateExpression: 'SET deleted_at = deleted_at - :ago',
        ExpressionAttributeValues: { ':ago': secondsAgo * 1000 },
      }),
    );
  }

  /** Runs the command that the runbook prescribes for failed changes and purges. */
  const redrive = () =>
    promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, '../../bin/redrive.ts'), '--data', dataDirectory],
      { env: terminalEnvironment() },
    );

  const deploy = (change: (resource: Assembly['template']['Resources'][string]) => void) => {
    const changed = structuredClone(assembly);
    for (const resource of Object.values(changed.template.Resources)) change(resource);
    return cloud.replaceStack(changed);
  };
  const deployAgain = () => deploy(() => {});

  thoroughTest('for failed requests is resolved when the table is available again', async () => {
    reset();
    fault = { functionName: /^Conversations/, kind: 'throttle' };
    await makeRequests();
    expect([isRaised('ServerErrors'), isRaised('FailingGateway')]).toEqual([true, true]);
    fault = undefined;
    reset();
    await makeRequests();
    expect([isRaised('ServerErrors'), isRaised('FailingGateway')]).toEqual([false, false]);
  });

  thoroughTest('for authorizer errors is resolved when the key server responds again', async () => {
    // New environments have empty key caches.
    await deployAgain();
    sendsKeys = false;
    reset();
    await makeRequests();
    const names = ['AuthorizerErrors', 'ServerErrors'];
    expect(names.map(isRaised)).toEqual([true, true]);
    sendsKeys = true;
    // The authorizer fetches keys at most once a second, so the next request may still fail.
    await waitUntil(async () => (await post('conversations', { contact_id: 'bob' })).ok);
    reset();
    await makeRequests();
    expect(names.map(isRaised)).toEqual([false, false]);
  });

  thoroughTest(
    'for channel authorizer errors is resolved when the key server responds again',
    async () => {
      await deployAgain();
      const token = await cloud.token('ann');
      // After this request, only the API's authorizer has cached the keys.
      const live = await fetch(`${cloud.url}/v1/live`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      const address = v.parse(Live, await live.json());
      const connect = async () => {
        const listener = await connectListener(address, token);
        listener.send({ type: 'connection_init' });
        await waitUntil(() => listener.frames.length > 0);
        listener.close();
        return listener.frames[0]?.type === 'connection_ack';
      };
      sendsKeys = false;
      reset();
      for (let n = 0; n < 3; n++) expect(await connect()).toBe(false);
      expect(isRaised('ChannelAuthorizerErrors')).toBe(true);
      sendsKeys = true;
      await waitUntil(connect);
      reset();
      for (let n = 0; n < 3; n++) expect(await connect()).toBe(true);
      expect(isRaised('ChannelAuthorizerErrors')).toBe(false);
    },
  );

  thoroughTest('for denied tokens is resolved when clients send valid tokens again', async () => {
    reset();
    await makeRequests({ audience: 'another' });
    expect(isRaised('TokensDenied')).toBe(true);
    reset();
    await makeRequests();
    expect(isRaised('TokensDenied')).toBe(false);
  });

  thoroughTest('for lost pushes is resolved by deploying the correct permissions', async () => {
    await deploy((resource) => {
      if (resource.Type === 'AWS::IAM::Policy' || resource.Type === 'AWS::IAM::Role') {
        const text = JSON.stringify(resource.Properties);
        resource.Properties = JSON.parse(text.replaceAll('EventPublish', 'EventSubscribe'));
      }
    });
    reset();
    await makeRequests();
    await waitUntil(() => isRaised('LostPushes') && isRaised('LostPushShare'));
    await deployAgain();
    reset();
    await makeRequests();
    await waitUntil(() => lines.some(({ operation, events }) => operation === 'live' && events));
    expect([isRaised('LostPushes'), isRaised('LostPushShare')]).toEqual([false, false]);
  });

  thoroughTest('for changes missing from feeds is resolved by a redrive', async () => {
    fault = { functionName: /^Live/, kind: 'throttle' };
    await createConversation();
    await waitUntil(() => isRaised('LiveFailures'));
    fault = undefined;
    await redrive();
    expect(isRaised('LiveFailures')).toBe(false);
  });

  thoroughTest(
    'for failed or stuck purges is resolved by a redrive and the next purge',
    async () => {
      const id = await createConversation();
      fault = { functionName: /^Purge/, kind: 'throttle' };
      reset();
      await deleteConversation(id, 7 * 3600);
      await waitUntil(() => isRaised('PurgeFailures') && isRaised('PurgeStuck'));
      fault = undefined;
      await redrive();
      expect(isRaised('PurgeFailures')).toBe(false);
      reset();
      await createConversation().then((other) => deleteConversation(other, 60));
      await waitUntil(() => lines.some(({ operation }) => operation === 'purge'));
      expect(isRaised('PurgeStuck')).toBe(false);
    },
  );
});
