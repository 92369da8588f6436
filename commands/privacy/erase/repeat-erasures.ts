import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { Problem } from '../../../lib/problem.ts';
import { confirm } from '../../cli/confirm.ts';
import { toInterruptionProblem } from '../interruption-problem.ts';
import { countErasable, formatCounts } from '../items/item-counts.ts';
import { createRateLimiter } from '../items/rate-limiter.ts';
import { wholeTable } from '../items/read-ranges.ts';
import { formatScanCost, readTableSize } from '../items/scan-cost.ts';
import { type Erasure, eraseItems } from './erase-items.ts';
import { type CommandOutput, createWaitPrinter } from './erase-person.ts';
import { type ErasedPerson, findLaterErasures, type RestoredTables } from './later-erasures.ts';
import { formatMissingTable } from './missing-table-text.ts';

export interface RepeatedErasures extends RestoredTables, Pick<Erasure, 'rates' | 'hasEvents'> {
  dryRun?: boolean;
  yes?: boolean;
}

/**
 * Repeats in a restored table the erasures made in its source table since the restore point.
 * Prints the people's ids. Returns false if data remains; a dry run returns true. Throws a Problem
 * if the run is interrupted or not confirmed, or if the source table was deleted or is the active
 * table. A repeated call skips completed erasures.
 */
export async function repeatErasures(
  options: RepeatedErasures,
  output: CommandOutput,
): Promise<boolean> {
  const { old, restored, rates, hasEvents, dryRun = false, yes = false } = options;
  const { print, onProgress } = output;
  if (old.name === restored.name)
    throw new Problem(`${old.name} is the active table: pass the name of the old table.`);
  const people = await findPeople(options, print);
  if (people.length === 0) {
    print(`All people erased in ${old.name} are also erased in ${restored.name}.`);
    return true;
  }
  for (const person of people)
    print(`Erased after the restore point: ${person.id}, first on ${formatDate(person)}`);
  if (dryRun) {
    print('Nothing was changed.');
    return true;
  }
  const warning = `This permanently erases all data of these people in ${restored.name}.`;
  if (!yes) await confirm(output, old.name, warning, 'the name of the old table');

  print(
    `Reading ${restored.name} twice for each person: ${formatScanCost(await readTableSize(restored), rates.reads)}`,
  );
  const unfinished: string[] = [];
  for (const { id } of people) {
    const { erased, remaining } = await eraseItems({
      ...{ table: restored, id, ranges: wholeTable, rates, hasEvents, onProgress },
      onWait: createWaitPrinter(id, print),
    }).catch((error) => {
      throw toInterruptionProblem(error, resumeText);
    });
    const counts = { ...erased, conversations: 0 };
    print(countErasable(counts) === 0 ? `No data of ${id} found.` : `Erased again for ${id}:`);
    for (const line of formatCounts(counts)) print(line);
    if (countErasable(remaining) > 0) unfinished.push(id);
  }
  print(`People erased again: ${people.length}.`);
  if (unfinished.length === 0) return true;
  print(
    `Data of ${unfinished.join(', ')} was stored during the run and remains: run the command again.`,
  );
  return false;
}

const resumeText = 'Everything erased so far stays erased. Run the command again to continue.';

async function findPeople(
  { old, restored, rates }: RepeatedErasures,
  print: CommandOutput['print'],
): Promise<ErasedPerson[]> {
  try {
    print(
      `Scanning ${old.name} for people erased after the restore point: ${formatScanCost(await readTableSize(old), rates.reads)}`,
    );
    return await findLaterErasures({ old, restored }, createRateLimiter(rates.reads));
  } catch (error) {
    if (error instanceof ResourceNotFoundException) throw new Problem(formatMissingTable(old.name));
    throw toInterruptionProblem(error, resumeText);
  }
}

const formatDate = ({ erasedAt }: ErasedPerson) => new Date(erasedAt).toISOString();
