import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import type { Section } from '../report/section.ts';
import { getCpuTime } from './cpu-time.ts';

const clients = 4;
const Started = v.pipe(v.string(), v.parseJson());
const Url = v.object({ url: v.string() });
const CloudFacts = v.object({
  ...Url.entries,
  ...{ tableEndpoint: v.string(), tableName: v.string(), token: v.string() },
});
const Created = v.object({ id: v.string() });

interface Program {
  facts: unknown;
  pid: number;
  stop(): Promise<unknown>;
}

async function startProgram(file: string, ...options: string[]): Promise<Program> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const stop = () => {
    const exit = once(child, 'exit');
    child.stdin.end();
    return exit;
  };
  return { facts: v.parse(Started, line), pid: child.pid ?? 0, stop };
}

/** Compares the local cloud with the same handlers on Hono in one process, on the same table. */
export async function measureThroughput(rounds: number, seconds: number): Promise<Section[]> {
  const cloud = await startProgram('cloud-program.ts');
  const { url, tableEndpoint, tableName, token } = v.parse(CloudFacts, cloud.facts);
  const hono = await startProgram('hono-program.ts', tableEndpoint, tableName);
  const programs = [
    { name: 'Hono', program: hono, url: v.parse(Url, hono.facts).url },
    { name: 'local cloud', program: cloud, url },
  ].map((one) => ({ ...one, perSecond: [] as number[], cpu: [] as number[] }));
  try {
    const send = createClient(token);
    const conversations = await Promise.all(
      Array.from({ length: clients }, (_, n) =>
        send(`${url}/v1/conversations`, { contact_id: `contact-${n}` }),
      ),
    );
    const runClients = (base: string, until: number) =>
      Promise.all(conversations.map(({ id }) => chat(send, base, id, until)));
    // The first round is a warm-up, whose values are dropped.
    for (let round = 0; round <= rounds; round += 1) {
      for (const { program, url: base, perSecond, cpu } of programs) {
        const [start, used] = [performance.now(), getCpuTime(program.pid)];
        const counts = await runClients(base, start + seconds * 1000);
        const requests = counts.reduce((sum, one) => sum + one, 0);
        if (round === 0) continue;
        perSecond.push((1000 * requests) / (performance.now() - start));
        cpu.push((getCpuTime(program.pid) - used) / requests);
      }
    }
  } finally {
    await hono.stop();
    await cloud.stop();
  }
  return toSections(programs);
}

const createClient = (token: string) => {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return async (url: string, body?: unknown) => {
    const response = await fetch(url, {
      headers,
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    const reply: unknown = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(reply));
    return v.parse(v.fallback(Created, { id: '' }), reply);
  };
};

async function chat(
  send: ReturnType<typeof createClient>,
  base: string,
  conversation_id: string,
  until: number,
): Promise<number> {
  let requests = 0;
  for (; performance.now() < until; requests += 3) {
    const { id } = await send(`${base}/v1/messages`, { conversation_id, message: 'Hello' });
    await send(`${base}/v1/messages/${id}`);
    await send(`${base}/v1/messages?conversation_id=${conversation_id}`);
  }
  return requests;
}

const toSections = (
  programs: readonly { name: string; perSecond: number[]; cpu: number[] }[],
): Section[] => [
  {
    id: 'throughput',
    title: 'The local cloud: requests per second',
    explanation: `${clients} clients send, retrieve and list messages. Hono runs the same handlers in one process on the same DynamoDB Local, without authorization, permissions, events or isolation. Goal: a ratio of at least 0.8.`,
    unit: 'per second',
    hasRatio: true,
    rows: programs.map(({ name, perSecond }) => ({ name, values: perSecond })),
  },
  {
    id: 'throughput-cpu',
    title: 'The local cloud: CPU',
    explanation:
      'Total CPU time of each program’s processes per request, excluding DynamoDB Local.',
    unit: 'CPU ms',
    hasRatio: true,
    rows: programs.map(({ name, cpu }) => ({ name, values: cpu })),
  },
];
