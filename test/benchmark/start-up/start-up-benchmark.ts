import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import * as v from 'valibot';
import { bundleOptions } from '../../../lib/bundle-functions.ts';
import { audience, issuer, openLocalIssuer } from '../../../local-cloud/issuer.ts';
import type { Section } from '../report/section.ts';
import { startFakeTable } from './fake-table.ts';

const Result = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    milliseconds: v.number(),
    isExpected: v.literal(true),
    modules: v.array(v.string()),
  }),
);

const sendEvent = {
  ...{ httpMethod: 'POST', path: '/v1/messages', resource: '/v1/messages', isBase64Encoded: false },
  ...{ pathParameters: null, queryStringParameters: null, multiValueQueryStringParameters: null },
  headers: { Host: 'api.example', 'content-type': 'application/json' },
  body: JSON.stringify({ conversation_id: '0'.repeat(26), message: 'Hello' }),
  requestContext: {
    ...{ requestId: 'r', path: '/v1/messages', domainName: 'api.example', stage: 'v1' },
    authorizer: { contact_id: 'ann', groups: '[]', expires_at: '9999999999', username: 'Ann' },
  },
};

export interface Program {
  name: string;
  /** Imports the bundle in a new process and calls its handler once. */
  start(): Promise<v.InferOutput<typeof Result>>;
}

/** Measures the CPU time of new processes: importing a bundle and handling its first call. */
export const measureStartUp = (runs: number): Promise<Section> =>
  withPrograms(async (programs) => {
    const rows = programs.map(({ name, start }) => ({ name, start, values: [] as number[] }));
    for (let run = 0; run < runs; run += 1) {
      for (const { start, values } of rows) values.push((await start()).milliseconds);
    }
    return {
      id: 'start-up',
      title: 'Start-up of a function',
      explanation:
        'CPU time to import the bundle and handle the first invocation in a new process. A simulated table replies immediately. Goal for `messages/send`: a ratio of at most 2.2 ([design](design.md#startup)).',
      unit: 'CPU ms',
      hasRatio: true,
      rows: rows.map(({ name, values }) => ({ name, values })),
    };
  });

/** Bundles the programs, and starts a table that replies immediately. */
export async function withPrograms<Outcome>(
  action: (programs: readonly Program[]) => Promise<Outcome>,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-start-up-'));
  await bundleAll(folder);
  const { keySet, token } = await openLocalIssuer(folder);
  const table = await startFakeTable(keySet);
  const tokenEvent = {
    type: 'TOKEN',
    methodArn: 'arn:aws:execute-api:us-east-1:1:api/v1/GET/v1/live',
    authorizationToken: `Bearer ${await token('ann')}`,
  };
  const toProgram = (name: string, bundle: string, event: unknown): Program => ({
    name,
    start: () => runOnce(join(folder, `${bundle}.js`), event, table.endpoint),
  });
  try {
    return await action([
      toProgram('hand-signed send', 'hand-signed', sendEvent),
      toProgram('send with the bare SDK', 'bare-sdk', sendEvent),
      toProgram('messages/send', 'messages/send/index', sendEvent),
      toProgram('authorizer, fetches keys', 'authorizer/index', tokenEvent),
    ]);
  } finally {
    await table.close();
    await rm(folder, { recursive: true });
  }
}

async function bundleAll(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{}');
  const options = bundleOptions(['messages/send', 'authorizer'], folder, false);
  await build(options);
  await build({
    ...options,
    plugins: [],
    entryPoints: ['hand-signed', 'bare-sdk'].map((name) => join(import.meta.dirname, `${name}.ts`)),
  });
}

async function runOnce(bundle: string, event: unknown, endpoint: string) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, 'cold-start.cjs'), bundle, JSON.stringify(event)],
    {
      env: {
        ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
        ...{ TABLE_NAME: 'table', METRICS_NAMESPACE: 'benchmark', ALLOWED_ORIGINS: '*' },
        ...{ TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: audience, TOKEN_KEYS_URL: endpoint },
        AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      },
    },
  );
  return v.parse(Result, stdout.trim().split('\n').at(-1));
}
