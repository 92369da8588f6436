import { RestoreTableToPointInTimeCommand } from '@aws-sdk/client-dynamodb';
import { Problem } from '../../lib/problem.ts';
import { checkSample } from './check-sample.ts';
import { compareStructure } from './check-structure.ts';
import { findTable, waitForTable } from './describe-table.ts';
import { formatUtc, type PointInTime, requireRecoverable } from './point-in-time.ts';
import type { RecoveryTools } from './recovery-tools.ts';
import { applySettings } from './table-settings.ts';

export interface RestoreOptions {
  source: string;
  /** The new table. If the table already exists, the command resumes with it. */
  target: string;
  to: PointInTime;
  /** Whether to enable deletion protection on the new table. */
  protect: boolean;
}

export interface Restored {
  name: string;
  streamArn: string;
}

/**
 * Restores a table's state at a point in time to a new table, applies all settings, and checks the
 * new table. Does not change the source table. Throws a Problem if the new table has faults. If the
 * target already exists, only applies the settings and checks the target.
 */
export async function restoreTable(
  tools: RecoveryTools,
  { source, target, to, protect }: RestoreOptions,
): Promise<Restored> {
  const { client, print } = tools;
  if (source === target)
    throw new Problem(`${target} is already the active table: there is nothing to restore.`);
  const sourceTable = await findTable(client, source);
  if (await findTable(client, target)) {
    print(`The table ${target} already exists: resuming with it.`);
  } else if (!sourceTable) {
    throw new Problem(`The table ${source} no longer exists: see docs/recovery.md.`);
  } else {
    await requireRecoverable(client, source, to);
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: source,
        TargetTableName: target,
        ...(to === 'latest' ? { UseLatestRestorableTime: true } : { RestoreDateTime: to }),
      }),
    );
    const stateTime = to === 'latest' ? 'the latest restorable time' : formatUtc(to);
    print(
      `Restoring ${source} as of ${stateTime} to ${target}. This takes 10 minutes to several hours.`,
    );
  }
  const readyTable = await waitForTable(tools, target);
  const restored = await applySettings(tools, { from: sourceTable, to: readyTable, protect });
  print('Applied the settings: stream, TTL, point-in-time recovery, deletion protection and tags.');
  const faults = compareStructure(sourceTable ?? readyTable, restored);
  const sample = await checkSample(tools.table(target));
  faults.push(...sample.faults);
  if (faults.length > 0) {
    throw new Problem(`Do not use ${target}:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  }
  print(
    `Checked the keys, the indexes and ${sample.conversations} conversations: all are correct.`,
  );
  print(
    `The new table has ${restored.ItemCount ?? 0} items; the source has ${sourceTable?.ItemCount ?? 0} (DynamoDB updates these counts about every six hours).`,
  );
  return { name: target, streamArn: restored.LatestStreamArn ?? '' };
}

/** Returns the default target name, such as `messaging-prod-restored-20261121T100000Z`. */
export const toTargetName = (stackName: string, to: PointInTime, now: number): string =>
  `${stackName}-restored-${formatUtc(to === 'latest' ? new Date(now) : to).replace(/[-:]/g, '')}`;
