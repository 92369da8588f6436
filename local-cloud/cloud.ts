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
  /** True if nothing was in the table at this start. */
  newData: boolean;
  /** What has been sent to the stack's queues, by their logical ids. */
  queues: ReadonlyMap<string, readonly unknown[]>;
  /** Where people listen, in a stage that has events. */
  push: PushServer | undefined;
  /** The page at `/`, if there is one. */
  playground: Pick<Playground, 'rebuild'> | undefined;
  /** The stack that it runs. */
  assembly: Assembly;
  /** As of the stack that serves: see Serving. */
  replaceCode: Serving['replaceCode'];
  /**
   * Has another stack serve the same data at the same address; requests wait meanwhile, and whoever listens is cut off. Throws,
   * and goes on with the one that there is, if the other cannot be run.
   */
  replaceStack(assembly: Assembly): Promise<void>;
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
    return Object.assign(await start(options, (cleanup) => cleanups.push(cleanup)), { stop });
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

/** Waits for all even when one fails, so that everything that was started is known to the cleanups. */
async function together<Promises extends readonly unknown[]>(promises: readonly [...Promises]) {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
