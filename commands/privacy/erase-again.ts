import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { Problem } from '../../lib/problem.ts';
import { confirm } from '../cli/confirm.ts';
import { countLines, toErase } from './counts.ts';
import type { Talk } from './erase-person.ts';
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
 * Erases in a restored table, as `erasePerson` does, who was erased since in the table that it was
 * made from, and says whom. Gives whether nothing of them was left by the last look. Throws a
 * Problem where it was broken off, or where the old table is gone. Whenever it breaks off, it can
 * be begun again; who is done is not met again.
 */
export async function eraseAgain(options: EraseAgain, talk: Talk): Promise<boolean> {
  const { old, restored, rates, hasEvents, dryRun = false, yes = false } = options;
  const { print, onProgress } = talk;
  if (old.name === restored.name) throw new Problem(`${old.name} is the table that serves.`);
  const people = await peopleErased(options, print);
  if (people.length === 0) {
    print(`Nobody was erased in ${old.name} who is not erased in ${restored.name}.`);
    return true;
  }
  for (const one of people) print(`Erased since: ${one.id}, first on ${dayOf(one)}`);
  if (dryRun) {
    print('Nothing was done.');
    return true;
  }
  const what = `All that there is of them in ${restored.name} is erased for good.`;
  if (!yes) await confirm(talk, old.name, what, 'the name of the old table');

  print(
    `Of ${restored.name}, for each of them twice: ${costLine(await sizeOf(restored), rates.reads)}`,
  );
  const unfinished: string[] = [];
  for (const { id } of people) {
    const { erased, left } = await eraseThings({
      ...{ table: restored, id, legs: wholeTable, rates, hasEvents, onProgress },
    }).catch((error) => {
      throw stopped(error, again);
    });
    const things = { ...erased, conversations: 0 };
    print(
      toErase(things) === 0 ? `There was nothing to erase of ${id}.` : `Erased again of ${id}:`,
    );
    for (const line of countLines(things)) print(line);
    if (toErase(left) > 0) unfinished.push(id);
  }
  print(`${people.length} people are erased again.`);
  if (unfinished.length === 0) return true;
  print(
    `There still is something of ${unfinished.join(', ')}, as somebody writes with their token: run it again later.`,
  );
  return false;
}

const again = 'What is erased stays so. Run the command again to go on.';

async function peopleErased(
  { old, restored, rates }: EraseAgain,
  print: Talk['print'],
): Promise<ErasedPerson[]> {
  try {
    print(`Who was erased in ${old.name}: ${costLine(await sizeOf(old), rates.reads)}`);
    return await erasedSince({ old, restored }, paceOf(rates.reads));
  } catch (error) {
    if (error instanceof ResourceNotFoundException) throw new Problem(withoutOldTable(old.name));
    throw stopped(error, again);
  }
}

const dayOf = ({ erasedAt }: ErasedPerson) => new Date(erasedAt).toISOString();
