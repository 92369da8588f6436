import type { OperationFigures } from './client/statistics.ts';
import type { RunEvaluation } from './evaluate-run.ts';
import type { SoakOutcome } from './soak.ts';

export function formatSummary(outcome: SoakOutcome, { faults, memory }: RunEvaluation): string {
  const { statistics, duration, conversations, messages, table, files, toPurge, leftOver } =
    outcome;
  const requests = statistics.requests();
  const seconds = duration / 1000;
  const statuses = [...statistics.statuses()].map(
    ([status, count]) => `${status || 'none'}: ${count}`,
  );
  return [
    '',
    `${requests} requests; ${seconds.toFixed(0)} seconds of traffic, then the final checks`,
    `by status   ${statuses.join('   ')}`,
    '',
    line('milliseconds', ['count', 'median', 'p95', 'p99', 'longest']),
    ...statistics.operations().map(operationLine),
    '',
    ...(memory.length > 0
      ? [
          line('memory, MB', ['first third', 'middle', 'last', 'growth', 'bytes/request']),
          ...memory.map(({ process, thirds, growth, growthPerRequest }) =>
            line(process, [
              ...thirds.map(megabytes),
              `${(100 * growth).toFixed(1)} %`,
              growthPerRequest.toFixed(0),
            ]),
          ),
        ]
      : ['memory      not measured: the run was too short, or this system has no /proc']),
    '',
    `end state   ${conversations} conversations, ${table.deletedConversations} of them deleted; ${messages} messages; ${table.items} items in the table`,
    `files       ${files.objects} objects, ${files.items} items${leftOver === undefined ? '; some are not uploaded or not sent' : ''}`,
    `purge       ${formatPurge(toPurge, leftOver)}`,
    '',
    faults.length > 0 ? `FAILED: ${faults.join('; ')}` : 'PASSED',
  ].join('\n');
}

const operationLine = ({ operation, count, ...times }: OperationFigures) =>
  line(operation, [
    String(count),
    ...[times.median, times.p95, times.p99, times.longest].map((one) => one.toFixed(0)),
  ]);

const line = (title: string, cells: string[]) =>
  title.padEnd(24) + cells.map((cell) => cell.padStart(14)).join('');

const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0);

function formatPurge(before: number, after: number | undefined): string {
  if (after === undefined) return `skipped; ${before} items of deleted conversations`;
  return `${before} items of deleted conversations at the end of the traffic, ${after} left`;
}
