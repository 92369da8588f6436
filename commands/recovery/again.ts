import { eraseAgain } from '../privacy/erase-again.ts';
import type { Talk } from '../privacy/erase-person.ts';
import type { Erasure } from '../privacy/erase-things.ts';
import { withoutOldTable } from '../privacy/without-old-table.ts';
import { type DeleteAgainOptions, deleteAgain } from './delete-again.ts';
import { findTable } from './tables.ts';
import type { RecoveryTools } from './tools.ts';

export interface AgainOptions extends DeleteAgainOptions, Pick<Erasure, 'rates'> {}

/**
 * Repeats in a restored table, before it becomes active, the deletions of conversations and
 * erasures of people made in the source table since. Returns whether everything is done. If the
 * source table was deleted, changes nothing and prints the alternatives. Throws a Problem if
 * interrupted; a repeated run resumes.
 */
export async function deleteAndEraseAgain(
  tools: RecoveryTools,
  options: AgainOptions,
  onProgress: Talk['onProgress'],
): Promise<boolean> {
  const { print, table, client } = tools;
  if (!(await findTable(client, options.old))) {
    print(
      'No conversation was deleted again, because the list of later deletions is not available.',
    );
    print(withoutOldTable(options.old));
    return false;
  }
  const deleted = await deleteAgain(tools, options);
  print(`Deleted ${deleted} conversations that were deleted since.`);
  return eraseAgain(
    {
      ...{ old: table(options.old), restored: table(options.restored), rates: options.rates },
      // No events are published before the table is active.
      hasEvents: false,
      yes: true,
    },
    { print, ask: undefined, onProgress },
  );
}
