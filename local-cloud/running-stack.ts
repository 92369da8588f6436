import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Problem } from '../lib/problem.ts';
import type { Assembly } from '../lib/synthesis/template.ts';
import { region } from './account.ts';
import { startBusServer } from './bus/bus-server.ts';
import { readEventRules } from './bus/event-rules.ts';
import { invokeWithRetries } from './bus/invoke-with-retries.ts';
import { getSchedules, startSchedules } from './bus/schedules.ts';
import { type Fleet, startFleet } from './functions/fleet.ts';
import { assignAccessKeys, toCallers } from './functions/function-callers.ts';
import { getFunctions } from './functions/function-definition.ts';
import type { RequestHandler } from './gateway/gateway-server.ts';
import type { OnExchange } from './gateway/request/exchange.ts';
import { createRestApi } from './gateway/rest-api.ts';
import { getIdentityVariables } from './issuer.ts';
import { findBucket } from './objects/buckets.ts';
import { type ObjectServer, startObjectServer } from './objects/object-server.ts';
import { openObjectStore } from './objects/object-store.ts';
import { createUploadEvents } from './objects/upload-events.ts';
import { findEventApi } from './push/event-api.ts';
import type { OnDelivery } from './push/event-hub.ts';
import { type PushServer, startPushServer } from './push/push-server.ts';
import type { OnFrame } from './push/serve-connection.ts';
import { getQueueMappings, startQueuePollers } from './queues/queue-mappings.ts';
import { createQueues, type Queues } from './queues/queues.ts';
import type { Callers } from './stack/caller.ts';
import { withCommands } from './stack/command-caller.ts';
import { getRoles } from './stack/iam-roles.ts';
import { readStack, type Stack } from './stack/read-stack.ts';
import { requireKnownTypes } from './stack/resource-types.ts';
import { type Checkpoints, createCheckpoints } from './streams/checkpoints.ts';
import { getEventSourceMappings } from './streams/event-source-mapping.ts';
import { startStreams } from './streams/start-streams.ts';
import { ensureTable, getTables } from './table/create-table.ts';
import { createLimitCheck } from './table/limit-check.ts';
import { getPartitionKeys } from './table/required-permissions.ts';
import type { OnTableCall } from './table/table-proxy.ts';

/** Options that do not change when another stack replaces the current one. */
export interface StackOptions {
  address: string;
  /** Endpoint of the table engine. */
  endpoint: string;
  keysUrl: string;
  /** Environment variables with the addresses of the servers that all stacks share. */
  addresses: Readonly<Record<string, string>>;
  /** Environment variables for every function. They override the template's variables. */
  variables: Readonly<Record<string, string>>;
  dataDirectory: string;
  /** Folder of the uploaded files. */
  objectDirectory: string;
  checkpoints: Checkpoints;
  log(line: string): void;
  onTableCall: OnTableCall;
  onDelivery?: OnDelivery | undefined;
  onFrame?: OnFrame | undefined;
  onExchange?: OnExchange | undefined;
}

export interface RunningStack {
  handleRequest: RequestHandler;
  tableName: string;
  /** Whether the table was empty at the start. */
  newData: boolean;
  queues: Queues;
  /** Stored records of delivery streams, by the ARN of the bucket. */
  buckets: ReadonlyMap<string, readonly string[]>;
  /** The stack's functions and the commands on this machine, by access key. */
  callers: Callers;
  outputs: Readonly<Record<string, string>>;
  push: PushServer | undefined;
  /** File server; undefined if the stage has no attachments. */
  objects: ObjectServer | undefined;
  /**
   * Starts delivering stream records, queued messages and scheduled events. Only one stack may
   * deliver at a time.
   */
  startDelivery(): Promise<void>;
  /** Replaces functions' code. If any code cannot be loaded, throws and changes nothing. */
  replaceCode(folders: ReadonlyMap<string, string>): Promise<void>;
  /** Stops without waiting for running requests. */
  stop(): Promise<void>;
}

/**
 * Starts the stack, but does not start deliveries. If the start fails, stops everything that was
 * started.
 */
export async function startStack(options: StackOptions, assembly: Assembly): Promise<RunningStack> {
  const { address, endpoint, dataDirectory, log } = options;
  const stack = readStack(assembly.stackName, assembly.template);
  requireKnownTypes(stack);
  const table = await startTable(stack, endpoint, dataDirectory);
  const functions = getFunctions(stack, assembly.directory);
  const roles = getRoles(stack);
  const queues = createQueues(stack);
  const mappings = getEventSourceMappings(stack, functions, roles);
  const queueMappings = getQueueMappings(stack, functions, roles);
  const targets = mappings.map(({ target }) => target);
  const schedules = getSchedules(stack, targets);
  const { fleet, push, objects, buckets, callers, stopAll } = await startFunctions(
    options,
    stack,
    assignAccessKeys(functions, roles),
    queues,
  );
  const createApi = () =>
    createRestApi(stack, fleet.invoke, { address, log, onExchange: options.onExchange });
  let handleRequest: RequestHandler;
  try {
    handleRequest = createApi();
  } catch (error) {
    await stopAll();
    throw error;
  }
  let deliveries: Awaited<ReturnType<typeof startDeliveries>> | undefined;
  return {
    handleRequest: (request) => handleRequest(request),
    ...table,
    queues,
    buckets,
    callers: withCommands(callers),
    outputs: stack.outputs,
    push,
    objects,
    startDelivery: async () => {
      const { invoke } = fleet;
      deliveries = await startDeliveries(options, {
        invoke,
        mappings,
        queueMappings,
        schedules,
        queues,
      });
    },
    replaceCode: async (folders) => {
      await fleet.replaceCode(folders);
      // A new API does not reuse the cached decisions of the previous authorizer code.
      handleRequest = createApi();
    },
    stop: async () => {
      deliveries?.stop();
      await stopAll();
      await deliveries?.ended();
    },
  };
}

interface Deliveries {
  invoke: Fleet['invoke'];
  mappings: ReturnType<typeof getEventSourceMappings>;
  queueMappings: ReturnType<typeof getQueueMappings>;
  schedules: ReturnType<typeof getSchedules>;
  queues: Queues;
}

/** Starts delivering stream records, queued messages and scheduled events. */
async function startDeliveries(
  { endpoint, checkpoints, log }: StackOptions,
  { invoke, mappings, queueMappings, schedules, queues }: Deliveries,
) {
  const streams = await startStreams({
    ...{ endpoint, mappings, checkpoints, invoke, send: queues.send, log },
  });
  const pollers = startQueuePollers({ queues, mappings: queueMappings, invoke, log });
  const timers = startSchedules({ schedules, invoke, log });
  return {
    stop: () => {
      for (const each of [streams, pollers, timers]) each.stop();
    },
    ended: streams.ended,
  };
}

/**
 * Starts the push, bus and file servers before the functions, which need the servers' addresses.
 */
async function startFunctions(
  options: StackOptions,
  stack: Stack,
  functions: ReturnType<typeof assignAccessKeys>,
  queues: Queues,
) {
  const { endpoint, variables, onTableCall, onDelivery, onFrame, log } = options;
  const fleetStarted = Promise.withResolvers<Fleet>();
  fleetStarted.promise.catch(() => {});
  const callers = toCallers(functions);
  const invoke: Fleet['invoke'] = async (functionArn, event) =>
    (await fleetStarted.promise).invoke(functionArn, event);
  const rules = readEventRules(stack, {
    queues,
    invoke: (functionArn, event) => invokeWithRetries(() => invoke(functionArn, event)),
  });
  const bucket = findBucket(stack);
  const store = bucket && (await openObjectStore(join(options.objectDirectory, bucket.name)));
  const onStored = store && (await createUploadEvents(stack, { bucket, store, rules, log }));
  const createApi = findEventApi(stack);
  const push =
    createApi && (await startPushServer({ createApi, callers, invoke, onDelivery, onFrame }));
  const bus = rules.buses.size > 0 ? await startBusServer({ rules, callers, log }) : undefined;
  const objects =
    store && (await startObjectServer({ bucket, store, onStored, callers: withCommands(callers) }));
  const stopServers = () => Promise.all([push?.stop(), bus?.stop(), objects?.stop()]);
  const fleet = await startFleet({
    functions,
    partitionKeys: getPartitionKeys(stack),
    checkLimits: createLimitCheck(stack),
    overrides: {
      ...getIdentityVariables(options.keysUrl),
      ...push?.variables,
      ...bus?.variables,
      ...objects?.variables,
      ...options.addresses,
    },
    ...{ endpoint, variables, onTableCall, log },
  }).catch(async (error) => {
    await stopServers();
    throw error;
  });
  fleetStarted.resolve(fleet);
  const stopAll = async () => {
    await fleet.stop();
    await stopServers();
  };
  return { fleet, push, objects, buckets: rules.buckets, callers, stopAll };
}

async function startTable(stack: Stack, endpoint: string, directory: string) {
  const [table, ...others] = getTables(stack);
  if (!table || others.length > 0)
    throw new Problem('The local cloud supports only stacks with one table.');
  const client = new DynamoDBClient({
    endpoint,
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const remedy = `delete ${join(directory, 'table')}, or start with --data OTHER or --in-memory.`;
  try {
    return { tableName: table.ref, newData: await ensureTable(client, table, remedy) };
  } finally {
    client.destroy();
  }
}

/** Returns the stream checkpoints, stored in the folder unless the data is in memory. */
export const openCheckpoints = (directory: string, inMemory: boolean): Checkpoints =>
  createCheckpoints(inMemory ? undefined : join(directory, 'checkpoints.json'));
