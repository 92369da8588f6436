import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { Problem } from '../../lib/problem.ts';
import { confirm } from '../cli/confirm.ts';
import { countLines, toErase } from './counts.ts';
import { type Talk, waitPrinter } from './erase-person.ts';
import { type Erasure, eraseThings } from './erase-things.ts';
import { type ErasedPerson, erasedSince, type TwoTables } from './erased-since.ts';
import { costLine, sizeOf } from './estimate.ts';
import { paceOf } from './pace.ts';
import { stopped } from './stopped.ts';
import { wholeTable } from './walk.ts';
import { withoutOldTable } from './without-old-table.ts';

export interface EraseAgain extends TwoTables, Pick<Erasure, 'rates' | 'hasEvents'> {
  dryRun?: boolean;
  yes?: boolean;
}

/**
 * Erases in a restored table the people erased in its source table since, like `erasePerson`, and
 * reports them. Returns whether the last searches found nothing. Throws a Problem if interrupted,
 * or if the source table was deleted. Can be repeated; completed erasures are skipped.
 */
export async function eraseAgain(options: EraseAgain, talk: Talk): Promise<boolean> {
  const { old, restored, rates, hasEvents, dryRun = false, yes = false } = options;
  const { print, onProgress } = talk;
  if (old.name === restored.name)
    throw new Problem(`${old.name} is the active table: give the name of the old one.`);
  const people = await peopleErased(options, print);
  if (people.length === 0) {
    print(`All people erased in ${old.name} are also erased in ${restored.name}.`);
    return true;
  }
  for (const one of people) print(`Erased since: ${one.id}, first on ${dayOf(one)}`);
  if (dryRun) {
    print('Nothing was changed.');
    return true;
  }
  const what = `This permanently erases all their data in ${restored.name}.`;
  if (!yes) await confirm(talk, old.name, what, 'the name of the old table');

  print(
    `Reading ${restored.name}, twice for each of them: ${costLine(await sizeOf(restored), rates.reads)}`,
  );
  const unfinished: string[] = [];
  for (const { id } of people) {
    const { erased, left } = await eraseThings({
      ...{ table: restored, id, legs: wholeTable, rates, hasEvents, onProgress },
      onWait: waitPrinter(id, print),
    }).catch((error) => {
      throw stopped(error, again);
    });
    const things = { ...erased, conversations: 0 };
    print(toErase(things) === 0 ? `No data of ${id} found.` : `Erased again for ${id}:`);
    for (const line of countLines(things)) print(line);
    if (toErase(left) > 0) unfinished.push(id);
  }
  print(`Erased ${people.length} people again.`);
  if (unfinished.length === 0) return true;
  print(`Data of ${unfinished.join(', ')} remains that was stored during the run: run this again.`);
  return false;
}

const again = 'Completed erasures are kept. Run the command again to continue.';

async function peopleErased(
  { old, restored, rates }: EraseAgain,
  print: Talk['print'],
): Promise<ErasedPerson[]> {
  try {
    print(
      `Reading ${old.name} for people erased since: ${costLine(await sizeOf(old), rates.reads)}`,
    );
    return await erasedSince({ old, restored }, paceOf(rates.reads));
  } catch (error) {
    if (error instanceof ResourceNotFoundException) throw new Problem(withoutOldTable(old.name));
    throw stopped(error, again);
  }
}

const dayOf = ({ erasedAt }: ErasedPerson) => new Date(erasedAt).toISOString();
