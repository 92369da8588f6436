import { summary } from '/tmp/threads.mjs';
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

async function startProgram(file: string, args: string[] = []) {
  const execArgv = process.env.PROF ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROF}`] : [];
  const child = spawn(process.execPath, [...execArgv, join(import.meta.dirname, file), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, facts: JSON.parse(line) };
}

/** CPU milliseconds of a process and its descendants, without Java. */
function cpu(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const name = /\((.*)\)/.exec(stat)?.[1];
  if (name === 'java') return 0;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  const own = (Number(fields[11]) + Number(fields[12])) * 10;
  if (process.env.VERBOSE) console.log(pid, name, own);
  return own + children.map(cpu).reduce((a, b) => a + b, 0);
}

const cloud = await startProgram('cloud-program.ts');
const { url, tableEndpoint, tableName, token } = cloud.facts;
const plain = await startProgram(process.env.PLAIN ?? 'plain-server.ts', [tableEndpoint, tableName]);

const agent = new Agent({ keepAlive: true });
async function call(base: string, method: string, path: string, body?: unknown): Promise<any> {
  const sent = request(`${base}${path}`, {
    method,
    agent,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  });
  sent.end(body ? JSON.stringify(body) : undefined);
  const [response] = await once(sent, 'response');
  const reply = await json(response);
  if (response.statusCode >= 300) throw new Error(JSON.stringify(reply));
  return reply;
}

async function work(base: string, milliseconds: number) {
  let requests = 0;
  const until = performance.now() + milliseconds;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: 4 }, async (_, n) => {
      const conversation = await call(url, 'POST', '/v1/conversations', { contact_id: `c${n}` });
      while (performance.now() < until) {
        const message = await call(base, 'POST', '/v1/messages', {
          conversation_id: conversation.id,
          message: 'Hello',
        });
        await call(base, 'GET', `/v1/messages/${message.id}`);
        await call(base, 'GET', `/v1/messages?conversation_id=${conversation.id}`);
        requests += 3;
      }
    }),
  );
  return { requests, seconds: (performance.now() - start) / 1000 };
}

async function measure(one: { child: ChildProcess; facts: any }, ms: number) {
  const t0 = summary(one.child.pid);
  const before = cpu(one.child.pid ?? 0);
  const { requests, seconds } = await work(one.facts.url, ms);
  const used = cpu(one.child.pid ?? 0) - before;
  if (process.env.THREADS) for (const [k, e] of summary(one.child.pid)) { const d = (e.ms - (t0.get(k)?.ms ?? 0)) / requests; if (d > 0.02) console.log('   ', k, e.n, d.toFixed(2)); }
  return { perSecond: requests / seconds, cpu: used / requests, requests };
}
const ms = Number(process.env.MS ?? 4000);
for (let n = 0; n < Number(process.env.ROUNDS ?? 5); n++) {
  const c = await measure(cloud, ms);
  const p = await measure(plain, ms);
  console.log(
    c.perSecond.toFixed(0), p.perSecond.toFixed(0), (c.perSecond / p.perSecond).toFixed(2),
    'cpu', c.cpu.toFixed(2), p.cpu.toFixed(2),
  );
}
if (process.env.VERBOSE) cpu(cloud.child.pid ?? 0);
cloud.child.stdin?.end();
plain.child.stdin?.end();
agent.destroy();
