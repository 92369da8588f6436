import { join } from 'node:path';
import { Problem } from '../lib/problem.ts';
import { synthesize } from '../lib/synthesis/synthesis.ts';
import type { Assembly } from '../lib/synthesis/template.ts';
import { lockDirectory, requireWritable } from './data-lock.ts';
import { type RequestHandler, startGatewayServer } from './gateway/gateway-server.ts';
import type { OnExchange } from './gateway/request/exchange.ts';
import { createRequestGate } from './gateway/request-gate.ts';
import { openLocalIssuer, startKeyServer, type TokenClaims } from './issuer.ts';
import { type Playground, startPlayground } from './playground/playground.ts';
import type { OnDelivery } from './push/event-hub.ts';
import type { PushServer } from './push/push-server.ts';
import type { OnFrame } from './push/serve-connection.ts';
import { writeRunningCloud } from './running-cloud.ts';
import { openCheckpoints, type RunningStack, startStack } from './running-stack.ts';
import { type CleanUp, openObjectDirectory, startServices } from './shared-services.ts';
import type { OnTableCall } from './table/table-proxy.ts';
import { startTableServer } from './table/table-server.ts';

export interface CloudOptions {
  /** Port of the API; 0 chooses a free port. */
  port: number;
  /** Folder for the issuer's key, generated files and, unless `inMemory` is set, the data. */
  dataDirectory: string;
  inMemory: boolean;
  /** Stage to run; `dev` by default. */
  stageName?: string;
  /** Receives each line of the functions' output, and messages from the local cloud. */
  log?: (line: string) => void;
  /** Receives warnings; `log` by default. */
  warn?: (line: string) => void;
  /** Called at the start of each slow step. */
  progress?: (step: string) => void;
  onExchange?: OnExchange;
  /** Stack to run; by default, the app's stack is synthesized. */
  assembly?: Assembly;
  /** May inject a fault into a function's call to the table. */
  onTableCall?: OnTableCall;
  /** May inject a fault into the delivery of an event to a listener. */
  onDelivery?: OnDelivery;
  /** May reply to a listener's frame in place of the push server. */
  onFrame?: OnFrame;
  /** URL of the issuer's public keys; by default, the local cloud serves them. */
  keysUrl?: string;
  /**
   * Endpoint of a running DynamoDB Local with a shared database. By default, the local cloud starts
   * an engine.
   */
  tableEndpoint?: string;
  /** Environment variables for every function. These variables override the template's. */
  variables?: Readonly<Record<string, string>>;
  /** Whether `/` serves the playground; false by default. */
  playground?: boolean;
}

export interface Cloud {
  url: string;
  /** Returns a token for the user. Throws a Problem if the user is suspended. */
  token(contactId: string, claims?: TokenClaims): Promise<string>;
  /** Endpoint of the table engine itself, which checks no permissions. */
  tableEndpoint: string;
  tableName: string;
  /** Whether the table was empty when this local cloud started. */
  newData: boolean;
  /** Messages in the stack's queues, by the queue's logical id. */
  queues: ReadonlyMap<string, readonly unknown[]>;
  /** Stored records of delivery streams, by the bucket's ARN. */
  buckets: ReadonlyMap<string, readonly string[]>;
  /** Push server; undefined if the stack has no Event API. */
  push: PushServer | undefined;
  playground: Pick<Playground, 'rebuild'> | undefined;
  assembly: Assembly;
  replaceCode: RunningStack['replaceCode'];
  /**
   * Replaces the current stack, but keeps the data and the address. During the switch, requests
   * wait and listeners are disconnected. If the new stack cannot start, throws and keeps serving
   * the current stack.
   */
  replaceStack(assembly: Assembly): Promise<void>;
  /**
   * Resolves with the reason if the local cloud cannot continue. The caller must then call `stop`.
   */
  failed: Promise<Problem>;
  stop(): Promise<void>;
}

/**
 * Runs `options.assembly` or, by default, the app's stack. Resolves when the stack serves requests.
 * If the start fails, stops everything that was started.
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

/**
 * Starts the local cloud. Cleanups run in reverse order, so that each part stops after the parts
 * that use it.
 */
async function start(options: CloudOptions, cleanUp: CleanUp): Promise<Omit<Cloud, 'stop'>> {
  const { dataDirectory } = options;
  const { log = () => {}, warn = log } = options;
  const api = Promise.withResolvers<RequestHandler>();
  api.promise.catch(() => {});
  const gateway = await startGatewayServer(options.port, api.promise);
  cleanUp(async () => {
    api.reject(new Problem('The local cloud was stopped.'));
    await gateway.close();
  });
  const foundation = await startFoundation(options, cleanUp);
  const { assembly, dynamodb, tokens } = foundation;
  const serving = await serveStack(options, foundation, gateway.url, cleanUp);
  const playground = options.playground
    ? startPlayground({
        directory: join(dataDirectory, 'playground'),
        token: tokens.token,
        warn,
      })
    : undefined;
  cleanUp(async () => playground?.waitForBuild());
  api.resolve(playground?.wrapHandler(serving.handleRequest) ?? serving.handleRequest);
  const first = serving.getStack();
  const cloud: Omit<Cloud, 'stop'> = {
    url: gateway.url,
    token: tokens.token,
    tableEndpoint: dynamodb.endpoint,
    tableName: first.tableName,
    newData: first.newData,
    queues: first.queues.messages,
    buckets: first.buckets,
    push: first.push,
    playground,
    assembly,
    replaceCode: (folders) => serving.getStack().replaceCode(folders),
    replaceStack: async (other) => {
      const { push, queues, buckets } = await serving.replace(other);
      Object.assign(cloud, { assembly: other, push, queues: queues.messages, buckets });
    },
    failed: dynamodb.failed,
  };
  return cloud;
}

/**
 * Locks the data folder unless `inMemory` is set. Loads the stack, and starts the table and key
 * servers, which all stacks share.
 */
async function startFoundation(options: CloudOptions, cleanUp: CleanUp) {
  const { dataDirectory, inMemory, stageName = 'dev', progress = () => {} } = options;
  const { log = () => {}, warn = log } = options;
  requireWritable(dataDirectory);
  if (!inMemory) {
    const unlock = lockDirectory(dataDirectory);
    cleanUp(async () => unlock());
  }
  progress('Starting the table');
  const [assembly, dynamodb, tokens] = await settleAll([
    options.assembly ??
      synthesize(stageName, join(dataDirectory, 'synthesis'), () =>
        progress('Synthesizing the stack and bundling its functions'),
      ),
    options.tableEndpoint
      ? { endpoint: options.tableEndpoint, failed: new Promise<Problem>(() => {}) }
      : startTableServer(inMemory ? undefined : join(dataDirectory, 'table'), warn).then(
          (started) => {
            cleanUp(() => started.stop());
            return started;
          },
        ),
    openLocalIssuer(dataDirectory),
  ]);
  const keyServer = await startKeyServer(tokens);
  cleanUp(() => keyServer.close());
  return { assembly, dynamodb, tokens, keysUrl: options.keysUrl ?? keyServer.keysUrl };
}

/**
 * Environment variables for every function. On a busy machine, a call to a local server may take
 * seconds, because the servers share an event loop.
 */
const localVariables = { SERVICE_TIMEOUT_MILLISECONDS: '60000' };

/** The current stack. Requests wait while another stack replaces it. */
interface ServingStack {
  handleRequest: RequestHandler;
  getStack(): RunningStack;
  /** Resolves with the new stack once the stack serves requests. */
  replace(assembly: Assembly): Promise<RunningStack>;
}

async function serveStack(
  options: CloudOptions,
  { assembly, dynamodb, keysUrl }: Awaited<ReturnType<typeof startFoundation>>,
  address: string,
  cleanUp: CleanUp,
): Promise<ServingStack> {
  const { dataDirectory, inMemory } = options;
  const variables = { ...localVariables, ...options.variables };
  const { log = () => {}, onTableCall = () => undefined } = options;
  const { onDelivery, onFrame, onExchange } = options;
  const { endpoint } = dynamodb;
  const checkpoints = openCheckpoints(dataDirectory, inMemory);
  const objectDirectory = await openObjectDirectory(dataDirectory, inMemory, cleanUp);
  const addresses = await startServices(options, () => serving, cleanUp);
  const serve = (other: Assembly) =>
    startStack(
      {
        ...{ address, endpoint, keysUrl, variables, dataDirectory, checkpoints, log, addresses },
        objectDirectory,
        ...{ onTableCall, onDelivery, onFrame, onExchange },
      },
      other,
    );
  let serving = await serve(assembly);
  cleanUp(() => serving.stop());
  await serving.startDelivery();
  let removeRunningFile = async () => {};
  cleanUp(() => removeRunningFile());
  const writeRunningFile = async ({ directory, stackName }: Assembly) => {
    removeRunningFile = await writeRunningCloud(dataDirectory, {
      tableEndpoint: endpoint,
      queueEndpoint: addresses.SQS_URL,
      filesEndpoint: serving.objects?.endpoint,
      parameterEndpoint: addresses.SSM_URL,
      assembly: directory,
      stackName,
      outputs: { ...serving.outputs, ApiUrl: address },
    });
  };
  await writeRunningFile(assembly);
  const { handleRequest, runAlone } = createRequestGate((request) =>
    serving.handleRequest(request),
  );
  return {
    handleRequest,
    getStack: () => serving,
    replace: async (other) => {
      const next = await serve(other);
      await runAlone(async () => {
        const previous = serving;
        serving = next;
        await previous.stop();
        await next.startDelivery();
        await writeRunningFile(other);
      });
      return next;
    },
  };
}

/**
 * Waits for all promises even if one rejects, so that the cleanups stop everything that was
 * started.
 */
async function settleAll<Promises extends readonly unknown[]>(promises: readonly [...Promises]) {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
