import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { lockDirectory, requireWritable } from '../../local-cloud/data-lock.ts';
import { temporaryFolder } from './small-stack.ts';

const lockModule = join(import.meta.dirname, '../../local-cloud/data-lock.ts');

let directory: string;
const owners: ChildProcess[] = [];
beforeEach(() => {
  directory = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(owners.splice(0).map(kill));
  rmSync(directory, { recursive: true });
});

async function owner(): Promise<ChildProcess> {
  const program = `
    import { lockDirectory } from ${JSON.stringify(lockModule)};
    lockDirectory(${JSON.stringify(directory)});
    globalThis.gc();
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  owners.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe('The lock of a data folder', () => {
  test.each(['runs', 'is suspended'])(
    'excludes other processes while its owner %s',
    async (state) => {
      const child = await owner();
      if (state === 'is suspended') child.kill('SIGSTOP');
      expect(() => lockDirectory(directory)).toThrow(
        new RegExp(
          `^Another local cloud is using ${directory}: Process ${child.pid}, since \\S+Z\\. Stop it ` +
            '\\(if it is suspended, first continue it with fg or kill -CONT\\), ' +
            'or choose another folder with --data\\.$',
        ),
      );
    },
  );

  test.each(['runs', 'is suspended'])(
    'is released when an owner that %s is killed',
    async (state) => {
      const child = await owner();
      if (state === 'is suspended') child.kill('SIGSTOP');
      await kill(child);
      expect(existsSync(join(directory, 'owner.json'))).toBe(true);
      lockDirectory(directory)();
    },
  );

  test('cannot be acquired again by the same process until it is released', () => {
    const unlock = lockDirectory(directory);
    expect(() => lockDirectory(directory)).toThrow(`using ${directory}: Process ${process.pid},`);
    unlock();
    lockDirectory(directory)();
  });

  test('can be acquired if the recorded process id now belongs to a process that does not hold the lock', () => {
    const note = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
    writeFileSync(join(directory, 'owner.json'), JSON.stringify(note));
    lockDirectory(directory)();
  });

  test('reports the host name of an owner on another machine', () => {
    const unlock = lockDirectory(directory);
    const note = { pid: 7, host: 'elsewhere', since: '2026-01-01T00:00:00.000Z' };
    writeFileSync(join(directory, 'owner.json'), JSON.stringify(note));
    expect(() => lockDirectory(directory)).toThrow(
      'Process 7 on elsewhere, since 2026-01-01T00:00:00.000Z.',
    );
    unlock();
  });

  // Below /proc, Node's recursive mkdir never returns.
  (process.platform === 'linux' ? test : test.skip)(
    'fails immediately for a folder below /proc',
    () => {
      expect(() => lockDirectory('/proc/none/data')).toThrow('Cannot write to /proc/none/data (');
      expect(() => requireWritable('/proc/none')).toThrow('Cannot write to /proc/none (');
    },
  );

  test('cannot be acquired in an unwritable folder, and the error names the folder', () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    expect(() => lockDirectory(join(file, 'data'))).toThrow(
      `Cannot write to ${join(file, 'data')} (`,
    );
  });
});
