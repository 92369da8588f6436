import { eraseAgain } from '../privacy/erase-again.ts';
import type { Talk } from '../privacy/erase-person.ts';
import type { Erasure } from '../privacy/erase-things.ts';
import { withoutOldTable } from '../privacy/without-old-table.ts';
import { type DeleteAgainOptions, deleteAgain } from './delete-again.ts';
import { findTable } from './tables.ts';
import type { RecoveryTools } from './tools.ts';

export interface AgainOptions extends DeleteAgainOptions, Pick<Erasure, 'rates'> {}

/**
 * Deletes in a restored table, which does not serve yet, the conversations that were deleted since in the table that it was made
 * from, and erases the people who were erased there since. Gives whether all of it is done; where the old table is gone nothing
 * is, and what to do instead is said. Throws a Problem where it was broken off; doing it again goes on.
 */
export async function deleteAndEraseAgain(
  tools: RecoveryTools,
  options: AgainOptions,
  onProgress: Talk['onProgress'],
): Promise<boolean> {
  const { print, table, client } = tools;
  if (!(await findTable(client, options.old))) {
    print('Nothing is deleted again: which conversations were deleted since is not known.');
    print(withoutOldTable(options.old));
    return false;
  }
  const deleted = await deleteAgain(tools, options);
  print(`${deleted} conversations that were deleted since then are deleted again.`);
  return eraseAgain(
    {
      ...{ old: table(options.old), restored: table(options.restored), rates: options.rates },
      // Nobody is told before the table serves.
      hasEvents: false,
      yes: true,
    },
    { print, ask: undefined, onProgress },
  );
}
