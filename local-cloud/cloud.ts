import { join } from 'node:path';
import { Problem } from '../lib/problem.ts';
import { synthesize } from '../lib/synthesis/synthesis.ts';
import type { Assembly } from '../lib/synthesis/template.ts';
import { lockDirectory, requireWritable } from './data-lock.ts';
import { type RequestHandler, startGatewayServer } from './gateway/gateway-server.ts';
import type { OnExchange } from './gateway/request/exchange.ts';
import type { GatewayRequest } from './gateway/request/gateway-request.ts';
import { openLocalIssuer, startKeyServer, type TokenClaims } from './issuer.ts';
import { type Playground, startPlayground } from './playground/playground.ts';
import type { OnDelivery } from './push/event-hub.ts';
import type { PushServer } from './push/push-server.ts';
import type { OnFrame } from './push/serve-connection.ts';
import { startQueueServer } from './queues/queue-server.ts';
import { writeRunningCloud } from './running-cloud.ts';
import { openCheckpoints, type RunningStack, startStack } from './running-stack.ts';
import type { OnTableCall } from './table/table-proxy.ts';
import { startTableServer } from './table/table-server.ts';

export interface CloudOptions {
  /** 0 chooses a free port. */
  port: number;
  /** Folder of the issuer's keys, the syntheses, and the table's data unless that is in memory. */
  dataDirectory: string;
  inMemory: boolean;
  /** Stage to run; `dev` by default. */
  stageName?: string;
  /** Receives the functions' output, line by line, and messages of the local cloud. */
  log?: (line: string) => void;
  /** Receives important messages; `log` by default. */
  warn?: (line: string) => void;
  /** Called at the start of each slow step. */
  progress?: (what: string) => void;
  /** Called with each request and its reply. */
  onExchange?: OnExchange;
  /** Stack to run instead of the app's. */
  assembly?: Assembly;
  /** Intercepts every call of a function to the table, and may inject a fault. */
  onTableCall?: OnTableCall;
  /** Intercepts every event on its way to a listener, and may inject a fault. */
  onDelivery?: OnDelivery;
  /** Intercepts every frame of a listener, and may answer it instead of the push server. */
  onFrame?: OnFrame;
  /** URL of the issuer's keys, instead of the local cloud's own server. */
  keysUrl?: string;
  /** Environment variables of every function, beside the template's. */
  variables?: Readonly<Record<string, string>>;
  /** Whether `/` serves the playground; false by default. */
  playground?: boolean;
}

export interface Cloud {
  url: string;
  /** Creates a token of the local issuer. */
  token(contactId: string, claims?: TokenClaims): Promise<string>;
  /** Address of DynamoDB Local itself, which checks no permissions. */
  tableEndpoint: string;
  tableName: string;
  /** The table was empty at this start. */
  newData: boolean;
  /** Messages sent to the stack's queues, by logical id. */
  queues: ReadonlyMap<string, readonly unknown[]>;
  /** Push server, in a stage with events. */
  push: PushServer | undefined;
  /** The playground, if enabled. */
  playground: Pick<Playground, 'rebuild'> | undefined;
  /** The stack that runs. */
  assembly: Assembly;
  /** Values of the running stack: see Serving. */
  replaceCode: RunningStack['replaceCode'];
  /**
   * Serves another stack with the same data at the same address. Requests wait meanwhile, and
   * listeners are disconnected. If the other stack cannot run, throws and continues with the
   * current one.
   */
  replaceStack(assembly: Assembly): Promise<void>;
  /** Settles with the reason when the local cloud cannot continue; stop it then. */
  failed: Promise<Problem>;
  stop(): Promise<void>;
}

/**
 * Runs the synthesized stack on this machine and returns it once it serves. If it fails, stops
 * everything started.
 */
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
    return Object.assign(await start(options, (cleanup) => cleanups.push(cleanup)), { stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Cleanups run in reverse order, so that nothing stops before its users. */
async function start(
  options: CloudOptions,
  cleanUp: (cleanup: () => Promise<unknown>) => void,
): Promise<Omit<Cloud, 'stop'>> {
  const { dataDirectory, inMemory, stageName = 'dev' } = options;
  const { log = () => {}, warn = log, onTableCall = () => undefined } = options;
  const { progress = () => {} } = options;
  const api = Promise.withResolvers<RequestHandler>();
  api.promise.catch(() => {});
  const gateway = await startGatewayServer(options.port, api.promise);
  cleanUp(async () => {
    api.reject(new Problem('The local cloud was stopped.'));
    await gateway.close();
  });
  requireWritable(dataDirectory);
  if (!inMemory) {
    const unlock = lockDirectory(dataDirectory);
    cleanUp(async () => unlock());
  }

  progress('Starting the table');
  const [assembly, dynamodb, tokens] = await settleAll([
    options.assembly ??
      synthesize(stageName, join(dataDirectory, 'synthesis'), () =>
        progress('Synthesizing the stack, bundling its functions'),
      ),
    startTableServer(inMemory ? undefined : join(dataDirectory, 'table'), warn).then((started) => {
      cleanUp(() => started.stop());
      return started;
    }),
    openLocalIssuer(dataDirectory),
  ]);
  const keyServer = await startKeyServer(tokens);
  cleanUp(() => keyServer.close());

  const serve = (other: Assembly) =>
    startStack(
      {
        address: gateway.url,
        endpoint: dynamodb.endpoint,
        keysUrl: options.keysUrl ?? keyServer.keysUrl,
        variables: options.variables ?? {},
        dataDirectory,
        checkpoints,
        log,
        onTableCall,
        onDelivery: options.onDelivery,
        onFrame: options.onFrame,
        onExchange: options.onExchange,
      },
      other,
    );
  const checkpoints = openCheckpoints(dataDirectory, inMemory);
  let serving = await serve(assembly);
  cleanUp(() => serving.stop());
  await serving.startDelivery();
  const queueServer = await startQueueServer(() => serving.queues);
  cleanUp(() => queueServer.stop());
  let removeRunningFile = async () => {};
  cleanUp(() => removeRunningFile());
  const writeRunningFile = async ({ directory }: Assembly) => {
    removeRunningFile = await writeRunningCloud(dataDirectory, {
      tableEndpoint: dynamodb.endpoint,
      queueEndpoint: queueServer.endpoint,
      assembly: directory,
      outputs: { ...serving.outputs, ApiUrl: gateway.url },
    });
  };
  await writeRunningFile(assembly);

  const activeRequests = new Set<Promise<unknown>>();
  let ready: Promise<unknown> = Promise.resolve();
  const answer = async (request: GatewayRequest) => {
    await ready;
    const pendingReply = serving.answer(request);
    activeRequests.add(pendingReply);
    return pendingReply.finally(() => activeRequests.delete(pendingReply));
  };
  const playground = options.playground
    ? startPlayground({
        directory: join(dataDirectory, 'playground'),
        token: tokens.token,
        warn,
      })
    : undefined;
  cleanUp(async () => playground?.waitForBuild());
  api.resolve(playground?.handleBefore(answer) ?? answer);
  const replaceStack = async (other: Assembly) => {
    const next = await serve(other);
    const replaced = Promise.withResolvers<void>();
    ready = replaced.promise;
    try {
      await Promise.allSettled(activeRequests);
      const previous = serving;
      serving = next;
      await previous.stop();
      await next.startDelivery();
      await writeRunningFile(other);
    } finally {
      replaced.resolve();
    }
    cloud.assembly = other;
    cloud.push = next.push;
    cloud.queues = next.queues.messages;
  };
  const cloud: Omit<Cloud, 'stop'> = {
    url: gateway.url,
    token: tokens.token,
    tableEndpoint: dynamodb.endpoint,
    tableName: serving.tableName,
    newData: serving.newData,
    queues: serving.queues.messages,
    push: serving.push,
    playground,
    assembly,
    replaceCode: (folders) => serving.replaceCode(folders),
    replaceStack,
    failed: dynamodb.failed,
  };
  return cloud;
}

/** Waits for all even if one fails, so that the cleanups know everything that was started. */
async function settleAll<Promises extends readonly unknown[]>(promises: readonly [...Promises]) {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
