import { readdirSync, readFileSync } from 'node:fs';

/**
 * Resident bytes of the local cloud's processes: the gateway with its proxies, the function host,
 * and DynamoDB Local.
 */
export interface Memory {
  cloud: number;
  functions: number;
  java: number;
  /** Number of threads in the function host: one per environment, and a few more. */
  threads: number;
}

/**
 * Reads the resident bytes of each process from /proc. Returns `undefined` if the system has no
 * /proc or a process is not running.
 */
export function getMemory(cloudPid: number): Memory | undefined {
  try {
    const { host, java } = findChildren(cloudPid);
    if (!host || !java) return undefined;
    return {
      cloud: resident(cloudPid),
      functions: resident(host),
      java: resident(java),
      threads: Number(/^Threads:\s+(\d+)$/m.exec(statusOf(host))?.[1]),
    };
  } catch {
    return undefined;
  }
}

/** Returns the ids of the local cloud's running child processes. */
export function findChildren(cloudPid: number): { host?: number; java?: number } {
  const children = readdirSync(`/proc/${cloudPid}/task`).flatMap((task) =>
    readFileSync(`/proc/${cloudPid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  const named = (part: string) => {
    const pid = children.find((one) => readFileSync(`/proc/${one}/cmdline`, 'utf8').includes(part));
    return pid === undefined ? undefined : Number(pid);
  };
  const [host, java] = [named('functions/host-program'), named('LoopbackServer')];
  return { ...(host && { host }), ...(java && { java }) };
}

/** Kills a child process if it is running, and returns its id. */
export function killChild(cloudPid: number, child: 'host' | 'java'): number | undefined {
  const pid = findChildren(cloudPid)[child];
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  return pid;
}

const resident = (pid: number | string): number => {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(statusOf(pid)) ?? [];
  return Number(kilobytes) * 1024;
};

const statusOf = (pid: number | string) => readFileSync(`/proc/${pid}/status`, 'utf8');
