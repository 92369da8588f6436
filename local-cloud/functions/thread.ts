/**
 * Lambda's Node.js runtime in a thread: loads the handler from its bundle and calls it with one
 * event at a time.
 */
import { createRequire, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { writeJsonLogs } from './thread-console.ts';
import {
  type FunctionFailure,
  frozen,
  type Invocation,
  type Outcome,
  type ThreadMessage,
  type ThreadSettings,
} from './thread-protocol.ts';

type Handler = (event: unknown, ...context: unknown[]) => unknown;

const settings: ThreadSettings = workerData;
// Node has already read this variable, and Lambda does not set it.
delete process.env.NODE_COMPILE_CACHE;
if (!parentPort) throw new Error('Run this program as a worker thread.');
run(parentPort).catch((error) => {
  throw error;
});

async function run(port: MessagePort): Promise<void> {
  const sendMessage = (message: ThreadMessage) => port.postMessage(message);
  // Sends output synchronously, because a stream of the thread would freeze with the thread.
  const print = (text: string | Uint8Array) => {
    sendMessage({
      kind: 'printed',
      text: typeof text === 'string' ? text : Buffer.from(text).toString(),
    });
    return true;
  };
  process.stdout.write = print;
  process.stderr.write = print;
  let requestId = '';
  const minLevel = settings.jsonLogLevel;
  if (minLevel) writeJsonLogs({ minLevel, requestId: () => requestId, write: print });

  const loaded = await loadHandler().catch(toFailure);
  if (typeof loaded !== 'function') {
    sendMessage({ kind: 'not loaded', failure: loaded });
    return;
  }
  let isFirst = true;
  port.on('message', async (invocation: Invocation) => {
    Atomics.store(settings.state, 0, frozen);
    requestId = invocation.requestId;
    const outcome = await invoke(loaded, invocation);
    sendMessage({ kind: 'outcome', outcome });
    if (isFirst) flushCompileCache();
    isFirst = false;
    // Waits until the next event resumes the thread.
    Atomics.wait(settings.state, 0, frozen);
  });
  sendMessage({ kind: 'ready' });
}

async function loadHandler(): Promise<Handler> {
  const [file = '', name = ''] = settings.handler.split('.');
  const path = join(settings.folder, file);
  const require = createRequire(`${path}.js`);
  const exported: unknown = await import(pathToFileURL(`${path}.mjs`).href).catch((error) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return require(path);
    throw error;
  });
  const handler = isRecord(exported) ? exported[name] : undefined;
  if (isHandler(handler)) return handler;
  const error = new Error(`${settings.handler} is undefined or not exported`);
  error.name = 'Runtime.HandlerNotFound';
  throw error;
}

async function invoke(handler: Handler, invocation: Invocation): Promise<Outcome> {
  const { requestId, event, deadline } = invocation;
  try {
    const context = {
      awsRequestId: requestId,
      callbackWaitsForEmptyEventLoop: true,
      functionName: settings.functionName,
      functionVersion: '$LATEST',
      getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
      invokedFunctionArn: settings.functionArn,
      logGroupName: settings.logGroupName,
      logStreamName: 'local',
      memoryLimitInMB: String(settings.memoryMegabytes),
    };
    const reply = await handler(JSON.parse(event), context);
    return { ok: true, reply: JSON.stringify(reply) ?? 'null' };
  } catch (error) {
    return { ok: false, failure: toFailure(error) };
  }
}

function toFailure(thrown: unknown): FunctionFailure {
  if (!(thrown instanceof Error)) {
    return { errorType: typeof thrown, errorMessage: String(thrown) };
  }
  const { name, message, stack = '' } = thrown;
  return { errorType: name, errorMessage: message, trace: stack.split('\n') };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isHandler = (value: unknown): value is Handler => typeof value === 'function';
