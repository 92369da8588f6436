import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { synthesize } from '../assembly/synthesis.ts';
import type { Assembly } from '../assembly/template.ts';
import { Problem } from '../problem.ts';
import { region } from '../running/account.ts';
import { announce } from '../running/running.ts';
import { lockDirectory } from './data-lock.ts';
import { callersOf, keyed } from './functions/callers.ts';
import { functionsOf } from './functions/definition.ts';
import { type Fleet, startFleet } from './functions/fleet.ts';
import type { OnExchange } from './gateway/exchange.ts';
import { type AnswerRequest, startGatewayServer } from './gateway/gateway-server.ts';
import { restApi } from './gateway/rest-api.ts';
import { identityVariables, localIssuer, startKeyServer, type TokenClaims } from './issuer.ts';
import { startPlayground } from './playground/playground.ts';
import { eventApiOf } from './push/definition.ts';
import type { OnDelivery } from './push/hub.ts';
import { type PushServer, startPushServer } from './push/server.ts';
import { queuesOf } from './queues/queues.ts';
import { startQueueServer } from './queues/server.ts';
import { rolesOf } from './stack/iam.ts';
import { requireKnownTypes } from './stack/resource-types.ts';
import { readStack, type Stack } from './stack/stack.ts';
import { checkpoints } from './streams/checkpoints.ts';
import { eventSourceMappings } from './streams/event-source-mapping.ts';
import { startStreams } from './streams/streams.ts';
import { partitionKeysOf } from './table/grants.ts';
import type { OnTableCall } from './table/proxy.ts';
import { startTableServer, type TableServer } from './table/server.ts';
import { ensureTable, tablesOf } from './table/tables.ts';

export interface CloudOptions {
  /** 0 for any that is free. */
  port: number;
  /** The issuer's keys, the syntheses, and the table's data unless that is in memory. */
  dataDirectory: string;
  inMemory: boolean;
  /** `dev` unless given. */
  stageName?: string;
  /** Takes what the functions print, line by line, and what the local cloud itself has to say. */
  log?: (line: string) => void;
  /** Takes what must not be missed; `log` does unless given. */
  warn?: (line: string) => void;
  /** Is told what takes a while now. */
  progress?: (what: string) => void;
  /** Is told of each request and its reply. */
  onExchange?: OnExchange;
  /** A stack to run in the place of the app's. */
  assembly?: Assembly;
  /** Sees every call of a function to the table, and may spoil it. */
  onTableCall?: OnTableCall;
  /** Sees every event on its way to a listener, and may spoil it. */
  onDelivery?: OnDelivery;
  /** Where functions find the issuer's keys, in the place of the local cloud's own server of them. */
  keysUrl?: string;
  /** Whether there is a page at `/` to try the API with; not unless given. */
  playground?: boolean;
}

export interface Cloud {
  url: string;
  /** A token of the local issuer. */
  token(contactId: string, claims?: TokenClaims): Promise<string>;
  /** DynamoDB Local's own address: whoever asks there needs no permission. */
  tableEndpoint: string;
  tableName: string;
  /** True if the table was created by this start. */
  newData: boolean;
  /** What has been sent to the stack's queues, by their logical ids. */
  queues: ReadonlyMap<string, readonly unknown[]>;
  /** Where people listen, in a stage that has events. */
  push: PushServer | undefined;
  /** Settles when it cannot go on, and says why: it is then to be stopped. */
  failed: Promise<Problem>;
  stop(): Promise<void>;
}

/** Runs the synthesized stack on this machine; gives it once it serves. What was started is stopped if it fails. */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const cleanups: (() => Promise<unknown>)[] = [];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
    })();
    return stopped;
  };
  try {
    return { ...(await start(options, (cleanup) => cleanups.push(cleanup))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Cleanups run in the opposite order, so that nothing is stopped before what uses it. */
async function start(
  options: CloudOptions,
  cleanUp: (cleanup: () => Promise<unknown>) => void,
): Promise<Omit<Cloud, 'stop'>> {
  const { dataDirectory, inMemory, stageName = 'dev' } = options;
  const { log = () => {}, warn = log, onTableCall = () => undefined } = options;
  const { progress = () => {} } = options;
  const api = Promise.withResolvers<AnswerRequest>();
  api.promise.catch(() => {});
  const gateway = await startGatewayServer(options.port, api.promise);
  cleanUp(async () => {
    api.reject(new Problem('The local cloud was stopped.'));
    await gateway.close();
  });
  if (!inMemory) {
    const unlock = lockDirectory(dataDirectory);
    cleanUp(async () => unlock());
  }

  progress('Starting DynamoDB Local');
  const [assembly, dynamodb, tokens] = await together([
    options.assembly ??
      synthesize(stageName, join(dataDirectory, 'synthesis'), () =>
        progress('Synthesizing the stack, bundling its functions'),
      ),
    startTableServer(inMemory ? undefined : join(dataDirectory, 'table'), warn).then((started) => {
      cleanUp(() => started.stop());
      return started;
    }),
    localIssuer(dataDirectory),
  ]);
  const keyServer = await startKeyServer(tokens);
  cleanUp(() => keyServer.close());

  const stack = readStack(assembly.stackName, assembly.template);
  requireKnownTypes(stack);
  const table = await startTable(stack, dynamodb, dataDirectory);
  const functions = functionsOf(stack, assembly.directory);
  const roles = rolesOf(stack);
  const { endpoint } = dynamodb;
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
  cleanUp(async () => push?.stop());
  const fleet = await startFleet({
    functions: withKeys,
    partitionKeys: partitionKeysOf(stack),
    endpoint,
    replacements: {
      ...identityVariables(options.keysUrl ?? keyServer.keysUrl),
      ...push?.variables,
    },
    onTableCall,
    log,
  });
  fleetStarted.resolve(fleet);
  const answer = restApi(stack, fleet.invoke, {
    address: gateway.url,
    log,
    onExchange: options.onExchange,
  });
  const streams = await startStreams({
    endpoint,
    mappings,
    checkpoints: checkpoints(inMemory ? undefined : join(dataDirectory, 'checkpoints.json')),
    invoke: fleet.invoke,
    send: queues.send,
    log,
  });
  cleanUp(async () => {
    streams.stop();
    await fleet.stop();
    await streams.ended();
  });
  const queueServer = await startQueueServer(queues);
  cleanUp(() => queueServer.stop());
  const outputs = { ...stack.outputs, ApiUrl: gateway.url };
  cleanUp(
    await announce(dataDirectory, {
      tableEndpoint: endpoint,
      queueEndpoint: queueServer.endpoint,
      assembly: assembly.directory,
      outputs,
    }),
  );
  const playground = options.playground
    ? startPlayground({
        directory: join(dataDirectory, 'playground'),
        token: tokens.token,
        pushHost: push?.host,
        warn,
      })
    : undefined;
  cleanUp(async () => playground?.built);
  api.resolve(playground?.before(answer) ?? answer);
  return {
    url: gateway.url,
    token: tokens.token,
    tableEndpoint: endpoint,
    queues: queues.messages,
    push,
    failed: dynamodb.failed,
    ...table,
  };
}

async function startTable(stack: Stack, { endpoint }: TableServer, directory: string) {
  const [table, ...others] = tablesOf(stack);
  if (!table || others.length > 0) throw new Problem('The local cloud runs one table.');
  const client = new DynamoDBClient({
    endpoint,
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const cure = `delete ${join(directory, 'table')}, or start with --data OTHER or --in-memory.`;
  const newData = await ensureTable(client, table, cure);
  client.destroy();
  return { tableName: table.ref, newData };
}

/** Waits for all even when one fails, so that everything that was started is known to the cleanups. */
async function together<Promises extends readonly unknown[]>(promises: readonly [...Promises]) {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
