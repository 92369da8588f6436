import { afterEach, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { getEnvironmentVariables } from '../../../local-cloud/functions/environment-variables.ts';
import {
  type FunctionDefinition,
  getFunctions,
} from '../../../local-cloud/functions/function-definition.ts';
import {
  type FunctionHost,
  startFunctionHost,
} from '../../../local-cloud/functions/function-host.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import { createAssembly, createFunction, temporaryFolder } from '../small-stack.ts';

const hosts: FunctionHost[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
});

/** Lambda's maximum timeout in seconds. No event takes this long, even on a busy machine. */
const maxTimeout = 900;

function definitionOf(code: string, properties: Record<string, unknown> = {}): FunctionDefinition {
  const folder = temporaryFolder();
  const { template } = createAssembly(
    folder,
    createFunction(folder, 'Small', code, { Timeout: maxTimeout, ...properties }),
  );
  const [definition] = getFunctions(readStack('small', template), folder);
  if (!definition) throw new Error('The stack has no function.');
  return definition;
}

function running(code: string, properties: Record<string, unknown> = {}) {
  const definition = definitionOf(code, properties);
  const printed: string[] = [];
  const variables = getEnvironmentVariables(definition, {
    accessKey: 'LOCALKEY',
    tableEndpoint: 'http://127.0.0.1:1',
    overrides: { TOKEN_ISSUER: 'https://local.example' },
  });
  const host = startFunctionHost({
    functions: [{ definition, variables }],
    log: (_, line) => printed.push(line),
  });
  hosts.push(host);
  const reply = async (event: unknown = {}): Promise<unknown> => {
    const outcome = await host.invoke(definition.arn, JSON.stringify(event));
    return outcome.ok ? JSON.parse(outcome.reply) : outcome.failure.errorMessage;
  };
  return { reply, printed };
}

describe('a function', () => {
  test("receives its event and Lambda's context", async () => {
    const { reply } = running(
      `exports.handler = async (event, context) => ({
        event,
        ...context,
        awsRequestId: context.awsRequestId.length,
        remaining: context.getRemainingTimeInMillis() > 800_000 && context.getRemainingTimeInMillis() <= 900_000,
      });`,
      { MemorySize: 256 },
    );
    expect(await reply({ hello: 'world' })).toEqual({
      event: { hello: 'world' },
      awsRequestId: 36,
      callbackWaitsForEmptyEventLoop: true,
      functionName: 'small-Small',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:small-Small',
      logGroupName: '/aws/lambda/small-Small',
      logStreamName: 'local',
      memoryLimitInMB: '256',
      remaining: true,
    });
  });

  test('gets only the environment variables that the template, the Lambda runtime or the local cloud sets', async () => {
    process.env.SECRET_OF_THE_SHELL = 'x';
    const { reply } = running('exports.handler = async () => Object.keys(process.env).sort();', {
      Environment: { Variables: { TABLE_NAME: 'T' } },
    });
    expect(await reply()).toEqual([
      'AWS_ACCESS_KEY_ID',
      'AWS_CONFIG_FILE',
      'AWS_DEFAULT_REGION',
      'AWS_ENDPOINT_URL_DYNAMODB',
      'AWS_EXECUTION_ENV',
      'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
      'AWS_LAMBDA_FUNCTION_NAME',
      'AWS_LAMBDA_FUNCTION_VERSION',
      'AWS_LAMBDA_INITIALIZATION_TYPE',
      'AWS_LAMBDA_LOG_GROUP_NAME',
      'AWS_LAMBDA_LOG_STREAM_NAME',
      'AWS_REGION',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
      'AWS_SHARED_CREDENTIALS_FILE',
      'LAMBDA_TASK_ROOT',
      'LANG',
      'TABLE_NAME',
      'TZ',
      '_HANDLER',
    ]);
  });

  test('that defines TOKEN_ISSUER gets the local issuer’s value, and other functions get no TOKEN_ISSUER', async () => {
    const code = 'exports.handler = async () => [process.env.TOKEN_ISSUER ?? null];';
    const withIssuer = running(code, {
      Environment: { Variables: { TOKEN_ISSUER: 'https://stage.example' } },
    });
    expect(await withIssuer.reply()).toEqual(['https://local.example']);
    expect(await running(code).reply()).toEqual([null]);
  });

  test('keeps its state between events', async () => {
    const { reply } = running('let count = 0; exports.handler = async () => ++count;');
    expect([await reply(), await reply(), await reply()]).toEqual([1, 2, 3]);
  });

  test('handles at most four events concurrently and queues the rest', async () => {
    // Each handler waits until four environments have each received an event.
    const { reply } = running(
      `const { threadId } = require('node:worker_threads');
       const { readdirSync, writeFileSync } = require('node:fs');
       const { join } = require('node:path');
       exports.handler = async () => {
         writeFileSync(join(__dirname, threadId + '.started'), '');
         const started = () => readdirSync(__dirname).filter((name) => name.endsWith('.started'));
         while (started().length < 4) await new Promise((done) => setTimeout(done, 5));
         return threadId;
       };`,
    );
    const threads = await Promise.all(Array.from({ length: 12 }, () => reply()));
    expect(threads).toHaveLength(12);
    expect(new Set(threads).size).toBe(4);
  });

  test('is frozen between events: unawaited work continues with the next event', async () => {
    const { reply } = running(
      `const ticks = [];
       const tick = () => ticks.push(performance.now());
       exports.handler = async () => {
         if (ticks.length > 0) {
           const count = ticks.length;
           while (ticks.length === count) await new Promise((done) => setTimeout(done, 1));
           return ticks;
         }
         tick();
         setInterval(tick, 1);
       };`,
    );
    await reply();
    await new Promise((done) => setTimeout(done, 200));
    const ticks = v.parse(v.array(v.number()), await reply());
    // In a running thread, the timer would fire about every millisecond.
    const pauses = ticks.slice(1).map((at, n) => at - (ticks[n] ?? at));
    expect(Math.max(...pauses)).toBeGreaterThanOrEqual(150);
  });

  test('can be an ES module', async () => {
    const { reply } = running(
      'export const handler = async () => import.meta.filename.length > 0;',
    );
    expect(await reply()).toBe(true);
  });
});

/** Returns the outcomes of three events. The function runs `code` for the second event. */
async function failOnce(code: string, properties: Record<string, unknown>) {
  const { reply } = running(
    `exports.handler = async (event) => { if (!event.fail) return 'well'; ${code} };`,
    properties,
  );
  return [await reply(), await reply({ fail: true }), await reply()];
}

const killed = 'Runtime exited with error: signal: killed';

describe('a failing function', () => {
  test.each([
    ['throws', `throw new RangeError('too far');`, 'too far'],
    ['throws a value that is not an error', `throw 'text';`, 'text'],
    [
      'leaves a rejected promise unhandled',
      `setTimeout(() => Promise.reject(new Error('late')), 1); await new Promise(() => {});`,
      'late',
    ],
    ['exits its process', 'process.exit(3);', 'Runtime exited with status 3'],
    [
      'fills its memory with objects',
      'const all = []; for (;;) all.push({ a: Math.random() });',
      killed,
    ],
    [
      'fills its memory with large arrays',
      'const all = []; for (;;) all.push(new Array(5e6).fill(1.5));',
      killed,
    ],
    [
      'fills its memory with one allocation',
      'globalThis.all = new Array(3e7).fill({}); for (;;);',
      killed,
    ],
    [
      'fills its memory in an optimized loop',
      'for (const all = []; ; ) all.push(new Array(1000).fill(0));',
      killed,
    ],
    ['kills the process that runs all functions', `process.kill(process.pid, 'SIGKILL');`, killed],
    [
      'fills its memory with bytes',
      'const all = []; for (;;) { all.push(Buffer.alloc(1e7, 1)); await null; }',
      killed,
    ],
  ])('that %s reports the error and handles the next event', async (_, code, message) => {
    expect(await failOnce(code, { MemorySize: 128 })).toEqual(['well', message, 'well']);
  });

  test('that waits, or blocks its thread, for longer than its timeout reports the error and handles the next event', async () => {
    // Successful invocations must also end within the timeout, even on a busy machine.
    const outcomes = ['await new Promise(() => {});', 'for (;;);'].map((code) =>
      failOnce(code, { Timeout: 4 }),
    );
    const expected = ['well', 'Task timed out after 4.00 seconds', 'well'];
    expect(await Promise.all(outcomes)).toEqual([expected, expected]);
  });

  test.each([
    ['throws while it loads', `throw new Error('no table');`, 'no table'],
    ['lacks the handler', 'exports.other = 1;', 'index.handler is undefined or not exported'],
    ['is not JavaScript', 'const = 1;', "Unexpected token '='"],
  ])('that %s fails on every event', async (_, code, message) => {
    const { reply } = running(code);
    expect([await reply(), await reply()]).toEqual([message, message]);
  });

  test('logs the type and message of its error', async () => {
    const { reply, printed } = running(
      `exports.handler = async () => { throw new RangeError('too far'); };`,
    );
    await reply();
    expect(printed[0]?.split('\n')[0]).toBe('RangeError: too far');
  });
});

describe('the output of a function', () => {
  test('is logged line by line', async () => {
    const { reply, printed } = running(
      `exports.handler = async () => { console.log('a\\nb', 1); process.stderr.write('c\\n'); };`,
    );
    await reply();
    expect(printed).toEqual(['a', 'b 1', 'c']);
  });

  test('in the JSON log format is printed as JSON, without lines below the configured level', async () => {
    const { reply, printed } = running(
      `exports.handler = async () => {
        console.debug('dropped');
        console.info({ fact: 1 });
        console.warn('text', 2);
        console.error(new TypeError('bad'));
      };`,
      { LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'INFO' } },
    );
    await reply();
    const lines = printed.map((line): unknown => {
      const { timestamp, requestId, ...rest } = JSON.parse(line);
      if (rest.message.stackTrace) rest.message.stackTrace = rest.message.stackTrace[0];
      return { ...rest, timestamp: typeof timestamp, requestId: requestId.length };
    });
    expect(lines).toEqual([
      { level: 'INFO', message: { fact: 1 }, timestamp: 'string', requestId: 36 },
      { level: 'WARN', message: 'text 2', timestamp: 'string', requestId: 36 },
      {
        level: 'ERROR',
        message: { errorType: 'TypeError', errorMessage: 'bad', stackTrace: 'TypeError: bad' },
        timestamp: 'string',
        requestId: 36,
      },
    ]);
  });

  test.each([
    ['that the function throws', `throw new TypeError('bad')`, 'TypeError', 'bad'],
    ['of the runtime', 'process.exit(1)', 'Runtime.ExitError', 'Runtime exited with status 1'],
  ])(
    'in the JSON log format includes an error %s',
    async (_, statement, errorType, errorMessage) => {
      const { reply, printed } = running(`exports.handler = async () => { ${statement}; };`, {
        LoggingConfig: { LogFormat: 'JSON' },
      });
      await reply();
      expect(printed.map((line): unknown => JSON.parse(line))).toEqual([
        {
          timestamp: expect.any(String),
          level: 'ERROR',
          message: { errorType, errorMessage, stackTrace: expect.any(Array) },
        },
      ]);
    },
  );

  test('written directly to stdout is unchanged, and JSON lines with a timestamp are filtered by level', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const written = [
      { timestamp: at, level: 'INFO', _aws: { Timestamp: 1 }, fact: 1 },
      { timestamp: at, level: 'debug', dropped: true },
      { timestamp: at, level: 'warn', fact: 2 },
      { timestamp: at, fact: 'lines without a level count as INFO' },
      { level: 'DEBUG', fact: 'lines without a timestamp count as INFO' },
    ].map((line) => JSON.stringify(line));
    const { reply, printed } = running(
      `exports.handler = async () => {
        for (const line of ${JSON.stringify(written)}) process.stdout.write(line + '\\n');
        process.stderr.write('plain text\\n');
      };`,
      { LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'INFO' } },
    );
    await reply();
    expect(printed).toEqual([...written.filter((line) => !line.includes('dropped')), 'plain text']);
  });

  test('written directly to stdout counts as INFO unless it is JSON with a timestamp and a level', async () => {
    const { reply, printed } = running(
      `exports.handler = async () => {
        process.stdout.write('text\\n{"level":"ERROR"}\\n{"timestamp":"2026-01-01T00:00:00Z","level":"ERROR"}\\n');
      };`,
      { LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'WARN' } },
    );
    await reply();
    expect(printed).toEqual(['{"timestamp":"2026-01-01T00:00:00Z","level":"ERROR"}']);
  });
});

test('an unsupported property of a function is rejected with an error that names the property', () => {
  expect(() => definitionOf('', { ImageConfig: {} })).toThrow(
    'Small (AWS::Lambda::Function): the local cloud cannot read ImageConfig',
  );
});
