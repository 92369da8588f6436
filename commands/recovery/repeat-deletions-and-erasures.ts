import type { Erasure } from '../privacy/erase/erase-items.ts';
import type { CommandOutput } from '../privacy/erase/erase-person.ts';
import { formatMissingTable } from '../privacy/erase/missing-table-text.ts';
import { repeatErasures } from '../privacy/erase/repeat-erasures.ts';
import { findTable } from './describe-table.ts';
import type { RecoveryTools } from './recovery-tools.ts';
import { type RepeatDeletionsOptions, repeatDeletions } from './repeat-deletions.ts';

export interface RepeatOptions extends RepeatDeletionsOptions, Pick<Erasure, 'rates'> {}

/**
 * Repeats changes that were made in the source table since the restore point: deletions of
 * conversations and groups, removals of members, and erasures of people. Call this function before
 * the swap to the restored table. Returns whether the work is complete. If the source table was
 * deleted, changes nothing and prints the alternatives. Throws a Problem if interrupted. The call
 * can then be repeated.
 */
export async function repeatDeletionsAndErasures(
  tools: RecoveryTools,
  options: RepeatOptions,
  onProgress: CommandOutput['onProgress'],
): Promise<boolean> {
  const { print, table, client } = tools;
  if (!(await findTable(client, options.old))) {
    print(
      'Repeated no deletions: the old table, which shows the deletions after the restore point, does not exist.',
    );
    print(formatMissingTable(options.old));
    return false;
  }
  const { conversations, groups, memberships, retainedIn } = await repeatDeletions(tools, options);
  print(`Repeated the deletion of ${conversations} conversations and ${groups} groups.`);
  print(`Repeated the removal or departure of ${memberships} group members.`);
  if (retainedIn.length > 0)
    print(`Retained the last member of ${retainedIn.join(', ')}: a group must have a member.`);
  return repeatErasures(
    {
      ...{ old: table(options.old), restored: table(options.restored), rates: options.rates },
      // No events are published before the stage uses the restored table.
      hasEvents: false,
      yes: true,
    },
    { print, prompt: undefined, onProgress },
  );
}
