import { readdirSync, readFileSync } from 'node:fs';

/** Resident bytes of the gateway with its proxies, the function host, and DynamoDB Local. */
export interface Memory {
  cloud: number;
  functions: number;
  java: number;
  /** Number of threads in the function host: one per environment, and a few more. */
  threads: number;
}

/** Returns the memory, or `undefined` if the system has no /proc or a process is not running. */
export function getMemory(cloudPid: number): Memory | undefined {
  try {
    const { host, java } = findChildren(cloudPid);
    if (!host || !java) return undefined;
    return {
      cloud: getResidentBytes(cloudPid),
      functions: getResidentBytes(host),
      java: getResidentBytes(java),
      threads: Number(/^Threads:\s+(\d+)$/m.exec(readStatus(host))?.[1]),
    };
  } catch {
    return undefined;
  }
}

export function findChildren(cloudPid: number): { host?: number; java?: number } {
  const children = readdirSync(`/proc/${cloudPid}/task`).flatMap((task) =>
    readFileSync(`/proc/${cloudPid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  const findChild = (part: string) => {
    const pid = children.find((one) => readFileSync(`/proc/${one}/cmdline`, 'utf8').includes(part));
    return pid === undefined ? undefined : Number(pid);
  };
  const [host, java] = [findChild('functions/host-program'), findChild('LoopbackServer')];
  return { ...(host && { host }), ...(java && { java }) };
}

export function killChild(cloudPid: number, child: 'host' | 'java'): number | undefined {
  const pid = findChildren(cloudPid)[child];
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  return pid;
}

const getResidentBytes = (pid: number | string): number => {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readStatus(pid)) ?? [];
  return Number(kilobytes) * 1024;
};

const readStatus = (pid: number | string) => readFileSync(`/proc/${pid}/status`, 'utf8');
