import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second. */
const millisecondsPerTick = 10;

/** Returns the CPU milliseconds of a process and its descendants, excluding Java. Linux only. */
export function getCpuTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  if (stat.includes('(java)')) return 0;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return children
    .map((child) => getCpuTime(Number(child)))
    .reduce(
      (sum, one) => sum + one,
      (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick,
    );
}
