import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Problem } from '../lib/problem.ts';
import type { Assembly } from '../lib/synthesis/template.ts';
import { region } from './account.ts';
import { callersOf, keyed } from './functions/callers.ts';
import { functionsOf } from './functions/definition.ts';
import { type Fleet, startFleet } from './functions/fleet.ts';
import type { OnExchange } from './gateway/exchange.ts';
import type { AnswerRequest } from './gateway/gateway-server.ts';
import { restApi } from './gateway/rest-api.ts';
import { identityVariables } from './issuer.ts';
import { eventApiOf } from './push/definition.ts';
import type { OnDelivery } from './push/hub.ts';
import { type PushServer, startPushServer } from './push/server.ts';
import { type Queues, queuesOf } from './queues/queues.ts';
import { rolesOf } from './stack/iam.ts';
import { requireKnownTypes } from './stack/resource-types.ts';
import { readStack, type Stack } from './stack/stack.ts';
import { type Checkpoints, checkpoints } from './streams/checkpoints.ts';
import { eventSourceMappings } from './streams/event-source-mapping.ts';
import { startStreams } from './streams/streams.ts';
import { partitionKeysOf } from './table/grants.ts';
import type { OnTableCall } from './table/proxy.ts';
import { refusalsOf } from './table/refusals.ts';
import { ensureTable, tablesOf } from './table/tables.ts';

/** Parts that remain when another stack replaces the current one. */
export interface ServingOptions {
  /** Address of the API. */
  address: string;
  /** Address of DynamoDB Local. */
  endpoint: string;
  keysUrl: string;
  dataDirectory: string;
  checkpoints: Checkpoints;
  log(line: string): void;
  onTableCall: OnTableCall;
  onDelivery?: OnDelivery | undefined;
  onExchange?: OnExchange | undefined;
}

/** A serving stack: its functions, gateway, push server and queues. */
export interface Serving {
  answer: AnswerRequest;
  tableName: string;
  /** The table was empty. */
  newData: boolean;
  queues: Queues;
  outputs: Readonly<Record<string, string>>;
  push: PushServer | undefined;
  /** Starts feeding the table's stream to its functions. Only one stack may do so at a time. */
  feed(): Promise<void>;
  /**
   * Serves functions, by logical id, from other folders once their code is loaded. If it cannot be
   * loaded, throws a Problem and changes nothing.
   */
  replaceCode(folders: ReadonlyMap<string, string>): Promise<void>;
  /** Stops without waiting for running requests. */
  stop(): Promise<void>;
}

/** Starts the parts of the stack, but not its streams. If it fails, stops everything started. */
export async function startServing(options: ServingOptions, assembly: Assembly): Promise<Serving> {
  const { address, endpoint, dataDirectory, log } = options;
  const stack = readStack(assembly.stackName, assembly.template);
  requireKnownTypes(stack);
  const table = await startTable(stack, endpoint, dataDirectory);
  const functions = functionsOf(stack, assembly.directory);
  const roles = rolesOf(stack);
  const queues = queuesOf(stack);
  const mappings = eventSourceMappings(stack, functions, roles);
  const withKeys = keyed(functions, roles);
  const fleetStarted = Promise.withResolvers<Fleet>();
  fleetStarted.promise.catch(() => {});
  const eventApi = eventApiOf(stack);
  const push =
    eventApi &&
    (await startPushServer({
      api: eventApi,
      callers: callersOf(withKeys),
      invoke: async (functionArn, event) => (await fleetStarted.promise).invoke(functionArn, event),
      onDelivery: options.onDelivery,
    }));
  const stopPush = async () => push?.stop();
  const fleet = await startFleet({
    functions: withKeys,
    partitionKeys: partitionKeysOf(stack),
    refusalOf: refusalsOf(stack),
    endpoint,
    replacements: { ...identityVariables(options.keysUrl), ...push?.variables },
    onTableCall: options.onTableCall,
    log,
  }).catch(async (error) => {
    await stopPush();
    throw error;
  });
  fleetStarted.resolve(fleet);
  const api = () => restApi(stack, fleet.invoke, { address, log, onExchange: options.onExchange });
  const stopAll = async () => {
    await fleet.stop();
    await stopPush();
  };
  let answer: AnswerRequest;
  try {
    answer = api();
  } catch (error) {
    await stopAll();
    throw error;
  }
  let streams: Awaited<ReturnType<typeof startStreams>> | undefined;
  return {
    answer: (request) => answer(request),
    ...table,
    queues,
    outputs: stack.outputs,
    push,
    feed: async () => {
      streams = await startStreams({
        endpoint,
        mappings,
        checkpoints: options.checkpoints,
        invoke: fleet.invoke,
        send: queues.send,
        log,
      });
    },
    replaceCode: async (folders) => {
      await fleet.replaceCode(folders);
      // Cached decisions of the previous authorizer code are dropped.
      answer = api();
    },
    stop: async () => {
      streams?.stop();
      await stopAll();
      await streams?.ended();
    },
  };
}

async function startTable(stack: Stack, endpoint: string, directory: string) {
  const [table, ...others] = tablesOf(stack);
  if (!table || others.length > 0) throw new Problem('The local cloud supports one table.');
  const client = new DynamoDBClient({
    endpoint,
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const cure = `delete ${join(directory, 'table')}, or start with --data OTHER or --in-memory.`;
  try {
    return { tableName: table.ref, newData: await ensureTable(client, table, cure) };
  } finally {
    client.destroy();
  }
}

/** Returns the stream checkpoints: in the folder, unless the data is in memory. */
export const storedCheckpoints = (directory: string, inMemory: boolean): Checkpoints =>
  checkpoints(inMemory ? undefined : join(directory, 'checkpoints.json'));
