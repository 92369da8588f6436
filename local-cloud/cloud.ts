import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../lib/problem.ts';
import { synthesize } from '../lib/synthesis/synthesis.ts';
import type { Assembly } from '../lib/synthesis/template.ts';
import { lockDirectory, requireWritable } from './data-lock.ts';
import { type RequestHandler, startGatewayServer } from './gateway/gateway-server.ts';
import type { OnExchange } from './gateway/request/exchange.ts';
import { createRequestGate } from './gateway/request-gate.ts';
import { openLocalIssuer, startKeyServer, type TokenClaims } from './issuer.ts';
import { startParameterServer } from './parameters/parameter-server.ts';
import { createParameterStore } from './parameters/parameter-store.ts';
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
  /** Folder for the issuer's key, generated files and, unless in memory, the data. */
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
  /** Intercepts every frame from a listener, and may answer it instead of the push server. */
  onFrame?: OnFrame;
  /** URL of the issuer's keys, instead of the local cloud's own server. */
  keysUrl?: string;
  /** Address of a running DynamoDB Local with a shared database; starts one by default. */
  tableEndpoint?: string;
  /** Environment variables for every function, which override the template's. */
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
  /** Whether the table was empty at this start. */
  newData: boolean;
  /** Messages in the stack's queues, by the queue's logical id. */
  queues: ReadonlyMap<string, readonly unknown[]>;
  /** Records that delivery streams have stored, by the ARN of the bucket. */
  buckets: ReadonlyMap<string, readonly string[]>;
  /** Push server, in a stage with events. */
  push: PushServer | undefined;
  /** The playground, if enabled. */
  playground: Pick<Playground, 'rebuild'> | undefined;
  /** The stack that runs. */
  assembly: Assembly;
  /** Replaces the code of functions: see RunningStack. */
  replaceCode: RunningStack['replaceCode'];
  /**
   * Serves another stack with the same data at the same address. During the switch, requests wait,
   * and listeners are disconnected. If the other stack cannot start, throws and keeps serving the
   * current one.
   */
  replaceStack(assembly: Assembly): Promise<void>;
  /** Resolves with the reason if the local cloud cannot continue; stop it then. */
  failed: Promise<Problem>;
  stop(): Promise<void>;
}

/**
 * Synthesizes the app's stack, unless an assembly is given, and runs it on this machine. Resolves
 * once the stack serves. If the start fails, stops everything that was started.
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

type CleanUp = (cleanup: () => Promise<unknown>) => void;

/** Registers cleanups, which run in reverse order so that nothing stops before its users. */
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
  api.resolve(playground?.handleBefore(serving.answer) ?? serving.answer);
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
 * Locks the data folder, synthesizes the first stack, and starts what all stacks share: the table
 * server and the issuer with its key server.
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
        progress('Synthesizing the stack, bundling its functions'),
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

/** The running stack, and the requests that wait while another stack replaces it. */
interface ServingStack {
  answer: RequestHandler;
  getStack(): RunningStack;
  /** Replaces the stack and returns the new one once it serves. */
  replace(assembly: Assembly): Promise<RunningStack>;
}

async function serveStack(
  options: CloudOptions,
  { assembly, dynamodb, keysUrl }: Awaited<ReturnType<typeof startFoundation>>,
  address: string,
  cleanUp: CleanUp,
): Promise<ServingStack> {
  const { dataDirectory, inMemory, variables = {} } = options;
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
  const { answer, runAlone } = createRequestGate((request) => serving.answer(request));
  return {
    answer,
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

/** Returns the folder of the uploaded files: a temporary one if the data is in memory. */
async function openObjectDirectory(
  directory: string,
  inMemory: boolean,
  cleanUp: CleanUp,
): Promise<string> {
  if (!inMemory) return join(directory, 'objects');
  const temporary = await mkdtemp(join(tmpdir(), 'messaging-objects-'));
  cleanUp(() => rm(temporary, { recursive: true, force: true }));
  return temporary;
}

/** Starts the servers of queues and parameters, which all stacks share. */
async function startServices(
  { dataDirectory, inMemory }: CloudOptions,
  stack: () => RunningStack,
  cleanUp: CleanUp,
) {
  const queueServer = await startQueueServer(stack);
  cleanUp(() => queueServer.stop());
  const store = createParameterStore(inMemory ? undefined : join(dataDirectory, 'parameters.json'));
  const parameterServer = await startParameterServer(store, () => stack().callers);
  cleanUp(() => parameterServer.stop());
  return {
    SQS_URL: `${queueServer.endpoint}/`,
    SSM_URL: `${parameterServer.endpoint}/`,
    WEBHOOK_REACH: 'local',
  };
}

/** Waits for all even if one fails, so that the cleanups stop everything that was started. */
async function settleAll<Promises extends readonly unknown[]>(promises: readonly [...Promises]) {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
