import { join } from 'node:path';
import { Problem } from '../lib/problem.ts';
import { synthesize } from '../lib/synthesis/synthesis.ts';
import type { Assembly } from '../lib/synthesis/template.ts';
import { lockDirectory, requireWritable } from './data-lock.ts';
import type { OnExchange } from './gateway/exchange.ts';
import type { GatewayRequest } from './gateway/gateway-request.ts';
import { type AnswerRequest, startGatewayServer } from './gateway/gateway-server.ts';
import { localIssuer, startKeyServer, type TokenClaims } from './issuer.ts';
import { type Playground, startPlayground } from './playground/playground.ts';
import type { OnDelivery } from './push/hub.ts';
import type { PushServer } from './push/server.ts';
import { startQueueServer } from './queues/server.ts';
import { announce } from './running-cloud.ts';
import { type Serving, startServing, storedCheckpoints } from './serving.ts';
import type { OnTableCall } from './table/proxy.ts';
import { startTableServer } from './table/server.ts';

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
  /** URL of the issuer's keys, instead of the local cloud's own server. */
  keysUrl?: string;
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
  replaceCode: Serving['replaceCode'];
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
  const api = Promise.withResolvers<AnswerRequest>();
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

  const serve = (other: Assembly) =>
    startServing(
      {
        address: gateway.url,
        endpoint: dynamodb.endpoint,
        keysUrl: options.keysUrl ?? keyServer.keysUrl,
        dataDirectory,
        checkpoints,
        log,
        onTableCall,
        onDelivery: options.onDelivery,
        onExchange: options.onExchange,
      },
      other,
    );
  const checkpoints = storedCheckpoints(dataDirectory, inMemory);
  let serving = await serve(assembly);
  cleanUp(() => serving.stop());
  await serving.feed();
  const queueServer = await startQueueServer(() => serving.queues);
  cleanUp(() => queueServer.stop());
  let takeBack = async () => {};
  cleanUp(() => takeBack());
  const leaveWord = async ({ directory }: Assembly) => {
    takeBack = await announce(dataDirectory, {
      tableEndpoint: dynamodb.endpoint,
      queueEndpoint: queueServer.endpoint,
      assembly: directory,
      outputs: { ...serving.outputs, ApiUrl: gateway.url },
    });
  };
  await leaveWord(assembly);

  const underWay = new Set<Promise<unknown>>();
  let ready: Promise<unknown> = Promise.resolve();
  const answer = async (request: GatewayRequest) => {
    await ready;
    const answered = serving.answer(request);
    underWay.add(answered);
    return answered.finally(() => underWay.delete(answered));
  };
  const playground = options.playground
    ? startPlayground({
        directory: join(dataDirectory, 'playground'),
        token: tokens.token,
        warn,
      })
    : undefined;
  cleanUp(async () => playground?.ended());
  api.resolve(playground?.before(answer) ?? answer);
  const replaceStack = async (other: Assembly) => {
    const next = await serve(other);
    const replaced = Promise.withResolvers<void>();
    ready = replaced.promise;
    try {
      await Promise.allSettled(underWay);
      const previous = serving;
      serving = next;
      await previous.stop();
      await next.feed();
      await leaveWord(other);
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
async function together<Promises extends readonly unknown[]>(promises: readonly [...Promises]) {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
