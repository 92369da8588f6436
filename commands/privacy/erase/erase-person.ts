import { clock } from '../../../shared/clock.ts';
import { confirm } from '../../cli/confirm.ts';
import type { StageTable } from '../../stage/stage-table.ts';
import { toInterruptionProblem } from '../interruption-problem.ts';
import { type Counts, countErasable, formatCounts } from '../items/item-counts.ts';
import { readPerson } from '../items/read-person.ts';
import { formatScanCost, readTableSize } from '../items/scan-cost.ts';
import { getSearchRanges } from '../items/search-ranges.ts';
import { countItems, type Erasure, eraseItems } from './erase-items.ts';
import { formatErasureSteps } from './format-next-steps.ts';

export interface Account {
  name: string;
  remove(): Promise<void>;
}

export interface PersonErasure {
  contactId: string;
  table: StageTable;
  /** The stage's name; `local` for the local cloud. */
  stageName: string;
  hasEvents: boolean;
  /** The account to delete; undefined if there is none in the stage's user pool. */
  account: Account | undefined;
  /** The external issuer of tokens; undefined if the stage has a user pool. */
  issuer: string | undefined;
  /** Additional groups to search; used only with `narrow`. */
  groups: readonly string[];
  narrow: boolean;
  dryRun: boolean;
  yes: boolean;
  rates: Erasure['rates'];
  pageSize?: number;
}

export interface CommandOutput {
  print(line: string): void;
  /** Asks the operator a question; undefined if there is no terminal. */
  prompt: ((question: string) => Promise<string>) | undefined;
  onProgress(counts: Counts): void;
}

/**
 * Lists the data of a person and asks for confirmation, unless `yes` is set. Then deletes the
 * account and erases the data. Returns false if data remains. A dry run only lists the data and
 * returns true. Throws a Problem if interrupted or not confirmed. Can be repeated.
 */
export async function erasePerson(options: PersonErasure, output: CommandOutput): Promise<boolean> {
  const { contactId: id, table, stageName, account, dryRun, yes, narrow, rates } = options;
  const { print, onProgress } = output;
  if (!dryRun && !yes && !output.prompt) await confirm(output, id, '');
  const person = await readPerson(table, id, options.groups);
  const ranges = await getSearchRanges(table, person, { narrow });
  const erasure = { ...options, id, ranges, onProgress, onWait: createWaitPrinter(id, print) };
  if (person.erasedAt !== undefined) {
    print(`${id} was first erased on ${new Date(person.erasedAt).toISOString()}.`);
  }
  print(narrow ? narrowSearchText : formatScanCost(await readTableSize(table), rates.reads));

  if (dryRun || !yes) {
    const counts = await countItems(erasure);
    print(`Data of ${id} at ${stageName}${countErasable(counts) === 0 ? ': none.' : ':'}`);
    for (const line of formatCounts(counts)) print(line);
    if (account) print(`          the account ${account.name} in the stage's user pool`);
    if (dryRun) {
      print('Nothing was changed.');
      return true;
    }
    const warning = `This permanently erases the data of ${id}. Conversations with other participants remain and show ${id} without a name.`;
    await confirm(output, id, warning, 'the contact id');
  }

  // Removes the account first, so that the person can no longer sign in.
  if (account) {
    await account.remove();
    print(`Deleted the account ${account.name}.`);
  }
  const { erased, remaining } = await eraseItems(erasure).catch((error) => {
    throw toInterruptionProblem(
      error,
      'Everything erased so far stays erased. Run the command again to continue.',
    );
  });
  print(countErasable(erased) === 0 ? `No data of ${id} found.` : 'Erased:');
  for (const line of formatCounts({ ...erased, conversations: 0 })) print(line);
  const isComplete = countErasable(remaining) === 0;
  if (!isComplete) {
    print('Data stored during the run remains: run the command again.');
    for (const line of formatCounts(remaining)) print(line);
  }
  for (const line of formatErasureSteps({
    ...options,
    now: clock.now(),
    conversations: erased.conversations,
  }))
    print(line);
  return isComplete;
}

export const createWaitPrinter =
  (id: string, print: CommandOutput['print']) => (milliseconds: number) =>
    print(`Waiting ${milliseconds / 1000} seconds until all functions refuse writes by ${id}.`);

const narrowSearchText =
  'Searches only the conversations of the person, of their user groups and last token’s groups, and of the given groups. Data in other conversations remains.';
