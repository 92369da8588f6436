import { type ChildProcess, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, jest } from '@jest/globals';
import { lockDirectory } from '../../local-cloud/data-lock.ts';
import { listen } from '../../local-cloud/listen.ts';
import { env } from '../../shared/env.ts';
import { runCommand } from '../support/processes/run-command.ts';
import { killProgram, startProgram } from '../support/processes/start-program.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import { quickTest, thoroughTest } from '../support/setup/sample-size.ts';

// Creating the demo data takes minutes on a busy machine.
jest.setTimeout(600_000);

const root = join(import.meta.dirname, '../..');
const data = mkdtempSync(join(tmpdir(), 'messaging start '));
// Reuses the stack that the test run synthesized.
symlinkSync(join(env('TEST_ASSEMBLY'), '..'), join(data, 'synthesis'), 'junction');
afterAll(() => rmSync(data, { recursive: true, force: true }));

const running: ChildProcess[] = [];
// A process locks its folder until it has exited.
afterEach(async () => {
  for (const child of running.splice(0)) await killProgram(child);
});

const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : 'java';
const javaPid = join(data, 'java.pid');
const javaLock = join(data, 'java.held');
/**
 * A Java home whose `java` writes its process id to `javaPid`, waits while `javaLock` exists, and
 * then runs DynamoDB Local under this id.
 */
const javaHome = fakeJava(
  'telling',
  `echo $$ > '${javaPid}'; while [ -e '${javaLock}' ]; do sleep 0.05; done; exec '${java}' "$@"`,
);
const javaProcess = () => Number(readFileSync(javaPid, 'utf8'));

function fakeJava(name: string, script: string): string {
  const home = join(data, name);
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin', 'java'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return home;
}

function startedWith(options: string[], variables: Record<string, string | undefined> = {}) {
  const started = startProgram(['bin/start.ts', '--data', data, ...options], {
    cwd: root,
    env: { ...process.env, PORT: '0', JAVA_HOME: javaHome, ...variables },
  });
  running.push(started.child);
  return started;
}

async function fails(options: string[], variables: Record<string, string | undefined> = {}) {
  return startedWith(options, variables).ended;
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/**
 * Runs a script in a shell and returns the JSON reply. Replaces curl with a function that prints
 * its arguments, and sends the request with fetch, because some machines lack curl.
 */
async function runScript(script: string): Promise<unknown> {
  const shell = ['-c', `curl() { printf '%s\\n' "$@"; }\n${script}`];
  const options = { encoding: 'utf8', cwd: root } as const;
  const [H, authorization = '', ...rest] = execFileSync('sh', shell, options).trim().split('\n');
  const [d, body] = rest[0] === '-d' ? rest : [];
  expect([H, d ?? '-d']).toEqual(['-H', '-d']);
  const [name = '', ...value] = authorization.split(': ');
  const response = await fetch(rest.at(-1) ?? '', {
    headers: { [name]: value.join(': ') },
    ...(body !== undefined && { method: 'POST', body: new URLSearchParams(body) }),
  });
  return response.json();
}

const annsToken = () => runCommand('bin/token.ts', 'ann', '--data', data).stdout.trim();

const greeting = /API: (http:\S+)[\s\S]*Press Ctrl-C to stop\./;

async function listed(url: string, token: string) {
  const response = await fetch(`${url}/v1/conversations`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return { status: response.status, retryAfter: response.headers.get('Retry-After') };
}

describe('npm start', () => {
  quickTest(
    'serves the API with demo data, prints commands that succeed, and stops all its processes on Ctrl-C',
    async () => {
      const { child, printed, ended } = startedWith([]);
      const [text = '', url = ''] = await printed(greeting);
      expect(text).not.toMatch(/eyJ|\{"/);
      expect(text).toContain(`Playground with two users: open ${url}/ in a browser.`);
      const page = await fetch(url, { headers: { Accept: 'text/html' } });
      expect(await page.text()).toContain('<title>Messaging playground</title>');
      const [tokens = '', ...commands] = text.match(/^ {2}(eval|curl) .*$/gm) ?? [];
      const run = (command = '') => runScript([tokens, command].join('\n'));
      expect(await run(commands[0])).toMatchObject({
        has_more: false,
        data: [{ group_id: 'team' }, { contact_id: 'ann' }],
      });
      expect(await run(commands[1])).toMatchObject({ contact_id: 'bob' });
      await printed(/GET \/v1\/conversations {2}200 {2}\d+ ms {2}\d+ calls, [\d.]+ read {2}bob\n/);
      await printed(
        /POST \/v1\/conversations {2}201 {2}\d+ ms {2}\d+ calls, \d+ read, \d+ written {2}ann\n/,
      );
      const database = javaProcess();
      expect(isAlive(database)).toBe(true);
      child.kill('SIGINT');
      child.kill('SIGINT');
      expect((await ended).code).toBe(0);
      expect(isAlive(database)).toBe(false);
    },
  );

  quickTest("with --json, prints only the functions' logs to standard output", async () => {
    const { child, printed, ended } = startedWith(['--in-memory', '--json']);
    let lines = '';
    child.stdout.on('data', (part) => {
      lines += String(part);
    });
    await printed(greeting);
    await printed(/"operation":"messages\/send".*\n/);
    child.kill('SIGTERM');
    await ended;
    const operations = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).operation);
    expect(operations).toContain('messages/send');
  });

  quickTest(
    'with --no-playground and --strict, responds to / like the deployed API, and rejects unknown parameters',
    async () => {
      const { printed } = startedWith(['--in-memory', '--no-demo', '--no-playground', '--strict']);
      const [text = '', url = ''] = await printed(greeting);
      expect(text).not.toContain('browser');
      const headers = { Authorization: `Bearer ${annsToken()}` };
      const strict = await fetch(`${url}/v1/conversations?q=hello`, { headers });
      expect(await strict.json()).toMatchObject({ code: 'parameter_unknown', param: 'q' });
      for (const [method, path] of [
        ['GET', '/'],
        ['POST', '/playground/tokens'],
      ] as const) {
        const response = await fetch(`${url}${path}`, { method, headers: { Origin: url } });
        expect([response.status, await response.json()]).toEqual([
          404,
          expect.objectContaining({ code: 'not_found', documentation_url: expect.any(String) }),
        ]);
      }
    },
  );

  quickTest('leaves no process running when it is killed', async () => {
    const { child, printed, ended } = startedWith(['--in-memory', '--no-demo']);
    await printed(greeting);
    const database = javaProcess();
    expect(isAlive(database)).toBe(true);
    child.kill('SIGKILL');
    await ended;
    await waitUntil(() => !isAlive(database));
  });

  thoroughTest(
    'when Java crashes, reports the crash, responds 503 until the restart, and keeps the data',
    async () => {
      const { child, printed, ended } = startedWith(['--quiet']);
      const [, url = ''] = await printed(greeting);
      const token = annsToken();
      const before = await listed(url, token);
      const database = javaProcess();
      writeFileSync(javaLock, '');
      process.kill(database, 'SIGKILL');
      await printed(
        new RegExp(
          `DynamoDB Local, the table's engine \\(Java, process ${database}\\), was terminated by SIGKILL\\.\n` +
            'The data is on disk, so the engine restarts\\. Meanwhile, requests get 503\\.',
        ),
      );
      expect(await listed(url, token)).toEqual({ status: 503, retryAfter: '1' });
      rmSync(javaLock);
      await printed(/The table is available again\./);
      expect([before, await listed(url, token)]).toEqual(
        Array(2).fill({ status: 200, retryAfter: null }),
      );
      child.kill('SIGINT');
      const { code, output } = await ended;
      expect([code, output.match(/was terminated by/g)?.length]).toEqual([0, 1]);
      expect(isAlive(javaProcess())).toBe(false);
    },
  );

  thoroughTest('exits with a message at the third crash of Java within a minute', async () => {
    const { printed, ended } = startedWith(['--quiet']);
    await printed(greeting);
    for (const recoveries of [1, 2]) {
      process.kill(javaProcess(), 'SIGKILL');
      await printed(new RegExp(`(available again[^]*){${recoveries}}`));
    }
    process.kill(javaProcess(), 'SIGKILL');
    const { code, output } = await ended;
    expect(code).toBe(1);
    const last = output.split(/(?<= was terminated by SIGKILL\.\n)/).at(-1);
    expect(last).toBe(
      `The engine crashed 3 times within a minute, so the local cloud stops. The data is in ${join(data, 'table')}.\n`,
    );
  });

  thoroughTest('with --in-memory, exits when Java crashes, and reports the lost data', async () => {
    const { printed, ended } = startedWith(['--in-memory', '--no-demo']);
    await printed(greeting);
    process.kill(javaProcess(), 'SIGKILL');
    const { code, output } = await ended;
    expect(code).toBe(1);
    expect(output).toMatch(
      /was terminated by SIGKILL\.\nThe data was in memory and is lost, so the local cloud stops\.\n$/,
    );
  });

  quickTest('stops on SIGTERM before it is ready', async () => {
    rmSync(javaPid, { force: true });
    const { child, ended } = startedWith(['--in-memory']);
    await waitUntil(() => existsSync(javaPid));
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  quickTest('rejects invalid options with a message', async () => {
    const firstLine = async (options: string[], port = '0') => {
      const { code, output } = await fails(options, { PORT: port });
      return { code, errorLine: output.split('\n')[0] };
    };
    const expectedMessage = 'Give a whole number from 0 to 65535.';
    expect(await firstLine(['--prot', '1'])).toEqual({
      code: 1,
      errorLine: "error: unknown option '--prot'",
    });
    expect(await firstLine(['--port', '3OOO'])).toEqual({
      code: 1,
      errorLine: `error: option '--port <number>' argument '3OOO' is invalid. ${expectedMessage}`,
    });
    expect(await firstLine([], '3OOO')).toEqual({
      code: 1,
      errorLine: `error: option '--port <number>' value '3OOO' from env 'PORT' is invalid. ${expectedMessage}`,
    });
  });

  quickTest.each([[], ['--in-memory']])(
    'reports another local cloud on its data folder, with and without --in-memory (%#)',
    async (...options) => {
      const unlock = lockDirectory(data);
      const result = await fails(options);
      unlock();
      expect(result).toEqual({
        code: 1,
        output: expect.stringContaining(
          `Another local cloud is using ${data}: Process ${process.pid},`,
        ),
      });
    },
  );

  quickTest('reports a port that is in use', async () => {
    const { port, close } = await listen(createServer(), 0);
    const result = await fails([], { PORT: String(port) });
    await close();
    expect(result).toEqual({
      code: 1,
      output: `Port ${port} is in use: choose another with --port, or stop the program that uses it.\n`,
    });
  });
});
