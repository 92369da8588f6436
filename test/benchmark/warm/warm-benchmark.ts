import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as v from 'valibot';
import { toLocalServiceConfig } from '../../../commands/stage/running-stage.ts';
import { bundleOptions } from '../../../lib/bundle-functions.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import { getSuccessStatuses } from '../../../shared/contract/operation.ts';
import {
  type ExampleCall,
  exampleCalls,
  toRequest,
} from '../../support/fault-replay/example-calls.ts';
import { toGatewayEvent } from '../../support/handlers/gateway-event.ts';
import { person } from '../../support/people/callers.ts';
import { importExampleListing } from '../../support/processes/import-example-listing.ts';
import { functionVariables } from '../../support/setup/function-variables.ts';
import { withCloud } from '../local-cloud.ts';
import type { Section } from '../report/section.ts';
import { startReplayingTable, type TableCall } from './replaying-table.ts';

const callsPerRound = 20;
/** Number of calls before the measurement, so that V8 optimizes both programs. */
const warmUpCalls = 200;

const Result = v.object({
  milliseconds: v.number(),
  reply: v.object({ statusCode: v.number(), body: v.string() }),
});
const Created = v.object({ id: v.string() });

type Row = Section['rows'][number];

/**
 * Measures the CPU time of each warm operation, divided by that of the same table calls made
 * directly with the AWS SDK. The table replies immediately.
 */
export async function measureWarmCpu(rounds: number): Promise<Section[]> {
  const rows: Row[] = [];
  await withCloud({}, async (cloud) => {
    await importExampleListing(cloud);
    await withProgram(cloud, async (measure) => {
      const names = new Map<string, string>();
      for (const call of exampleCalls) rows.push(await measure(call, names, rounds));
    });
  });
  return [
    {
      id: 'warm-cpu',
      title: 'Warm CPU of an operation',
      explanation:
        'CPU time of the contract examples’ requests, relative to the same table calls with the bare SDK. Goal: at most 1.3.',
      unit: 'times bare calls',
      hasRatio: false,
      rows,
    },
  ];
}

type Measure = (call: ExampleCall, names: Map<string, string>, rounds: number) => Promise<Row>;

async function withProgram(
  cloud: Cloud,
  action: (measure: Measure) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-warm-'));
  await writeFile(join(folder, 'package.json'), '{}');
  await build(
    bundleOptions(
      exampleCalls.map(({ row }) => row.id),
      folder,
      false,
    ),
  );
  const table = await startReplayingTable(cloud.tableEndpoint);
  const program = startProgram(cloud, table.endpoint);
  let pending = Promise.withResolvers<unknown>();
  program.on('message', (message) => pending.resolve(message));
  program.once('exit', () => pending.reject(new Error('The program exited.')));
  const run = async (message: object) => {
    pending = Promise.withResolvers();
    program.send(message);
    return v.parse(Result, await pending.promise);
  };
  const measure: Measure = async (call, names, rounds) => {
    const { row, example } = call;
    const event = JSON.stringify(
      toGatewayEvent(row, { as: person(example.as), ...toRequest(call, names) }),
    );
    const bundle = join(folder, row.id, 'index.js');
    const runHandler = async (times: number) => {
      const { milliseconds, reply } = await run({ bundle, event, times });
      if (getSuccessStatuses(row).includes(reply.statusCode)) return { milliseconds, reply };
      throw new Error(`${row.id} returned ${reply.statusCode} ${reply.body}`);
    };
    table.record();
    const { reply } = await runHandler(1);
    rememberName(call, reply.body, names);
    table.replay();
    await runHandler(warmUpCalls);
    const calls: TableCall[] = table.replay();
    await runHandler(1);
    const bareCalls = [...calls];
    const runBare = (times: number) => run({ calls: bareCalls, event, times });
    await runBare(warmUpCalls);
    const values: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const [handler, bare] = [await runHandler(callsPerRound), await runBare(callsPerRound)];
      values.push(handler.milliseconds / bare.milliseconds);
    }
    return { name: `${row.id}, ${bareCalls.length} calls`, values };
  };
  try {
    await action(measure);
  } finally {
    program.disconnect();
    await table.close();
    await rm(folder, { recursive: true });
  }
}

function startProgram({ tableName, tableEndpoint }: Cloud, endpoint: string): ChildProcess {
  const { region, credentials } = toLocalServiceConfig(tableEndpoint);
  return fork(join(import.meta.dirname, 'warm-program.cjs'), {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...functionVariables,
      TABLE_NAME: tableName,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials?.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    },
  });
}

/** Maps the example's id to the created id, because later examples contain the example's id. */
function rememberName({ row, example }: ExampleCall, body: string, names: Map<string, string>) {
  if (row.method !== 'POST') return;
  const expected = v.safeParse(Created, example.reply);
  const created = v.safeParse(Created, JSON.parse(body));
  if (expected.success && created.success) names.set(expected.output.id, created.output.id);
}
