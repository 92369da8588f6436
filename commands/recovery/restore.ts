import { RestoreTableToPointInTimeCommand } from '@aws-sdk/client-dynamodb';
import { Problem } from '../../lib/problem.ts';
import { checkSample } from './check-sample.ts';
import { faultsOfStructure } from './check-structure.ts';
import { inUtc, type PointInTime, requireRecoverable } from './point-in-time.ts';
import { applySettings } from './settings.ts';
import { findTable, readyTable } from './tables.ts';
import type { RecoveryTools } from './tools.ts';

export interface RestoreOptions {
  /** The table as it is. */
  source: string;
  /** The new table. If it is there already, this goes on with it. */
  target: string;
  to: PointInTime;
  /** The new table is not to be deleted by a slip. */
  protect: boolean;
}

export interface Restored {
  name: string;
  streamArn: string;
}

/**
 * Makes a new table of what another was at that time, with all its settings, and checks it. The table it is made from is
 * only read. May be broken off at any time and begun again with the same target; a target that was made by other means,
 * such as from the backup of a table that is gone, gets its settings and is checked likewise.
 */
export async function restore(
  tools: RecoveryTools,
  { source, target, to, protect }: RestoreOptions,
): Promise<Restored> {
  const { client, print } = tools;
  if (source === target)
    throw new Problem(`${target} serves already: there is nothing to restore.`);
  const before = await findTable(client, source);
  if (await findTable(client, target)) {
    print(`The table ${target} is there already: going on with it.`);
  } else if (!before) {
    throw new Problem(`There is no table ${source} any more: see docs/recovery.md.`);
  } else {
    await requireRecoverable(client, source, to);
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: source,
        TargetTableName: target,
        ...(to === 'latest' ? { UseLatestRestorableTime: true } : { RestoreDateTime: to }),
      }),
    );
    const when = to === 'latest' ? 'the latest time possible' : inUtc(to);
    print(`${source} as it was at ${when} becomes ${target}. That takes from 10 minutes to hours.`);
  }
  const ready = await readyTable(tools, target);
  const restored = await applySettings(tools, { from: before, to: ready, protect });
  print('It has its stream, expiry, recovery, protection and tags.');
  const faults = faultsOfStructure(before ?? ready, restored);
  const sample = await checkSample(tools.table(target));
  faults.push(...sample.faults);
  if (faults.length > 0) {
    throw new Problem(`Do not use ${target}:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  }
  print(
    `Its keys and indexes are right, and so are the ${sample.conversations} conversations that were looked at.`,
  );
  print(
    `It has ${restored.ItemCount ?? 0} items, the other ${before?.ItemCount ?? 0} (DynamoDB counts every six hours).`,
  );
  return { name: target, streamArn: restored.LatestStreamArn ?? '' };
}

/** messaging-prod-restored-20261121T100000Z */
export const targetName = (stackName: string, to: PointInTime, now: number): string =>
  `${stackName}-restored-${inUtc(to === 'latest' ? new Date(now) : to).replace(/[-:]/g, '')}`;
