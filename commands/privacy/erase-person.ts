import { clock } from '../../shared/clock.ts';
import { confirm } from '../cli/confirm.ts';
import type { StageTable } from '../stage/table.ts';
import { type Counts, countLines, toErase } from './counts.ts';
import { countThings, type Erasure, eraseThings } from './erase-things.ts';
import { costLine, sizeOf } from './estimate.ts';
import { legsOf } from './legs.ts';
import { personOf } from './person.ts';
import { stopped } from './stopped.ts';
import { afterErasure } from './what-is-left.ts';

/** The account of whoever is to be erased, where the stage has one of its own. */
export interface Account {
  name: string;
  remove(): Promise<void>;
}

export interface ErasePerson {
  contactId: string;
  table: StageTable;
  /** Of the stage; `local` for the local cloud. */
  place: string;
  hasEvents: boolean;
  /** Undefined where there is none to be removed here. */
  account: Account | undefined;
  /** Whose people the stage's are, where these are not its own. */
  issuer: string | undefined;
  /** Groups that they have been in; only looked into with `narrow`. */
  groups: readonly string[];
  narrow: boolean;
  dryRun: boolean;
  yes: boolean;
  rates: Erasure['rates'];
  pageSize?: number;
}

/** What a command has to speak with. */
export interface Talk {
  print(line: string): void;
  /** Undefined where nobody can be asked. */
  ask: ((question: string) => Promise<string>) | undefined;
  onProgress(counts: Counts): void;
}

/**
 * Tells what there is of somebody, asks, and erases it. Gives whether nothing of it was left by the
 * last look. Throws a Problem where it was broken off, by a fault or by whoever was asked: then it
 * can be run again.
 */
export async function erasePerson(options: ErasePerson, talk: Talk): Promise<boolean> {
  const { contactId: id, table, place, account, dryRun, yes, narrow, rates } = options;
  const { print, onProgress } = talk;
  if (!dryRun && !yes && !talk.ask) await confirm(talk, id, '');
  const person = await personOf(table, id, options.groups);
  const legs = await legsOf(table, person, { narrow });
  const erasure = { ...options, id, legs, onProgress };
  if (person.erasedAt !== undefined) {
    print(`${id} was erased first on ${new Date(person.erasedAt).toISOString()}.`);
  }
  print(narrow ? narrowLine : costLine(await sizeOf(table), rates.reads));

  if (dryRun || !yes) {
    const there = await countThings(erasure);
    print(`Of ${id} there is at ${place}${toErase(there) === 0 ? ' nothing.' : ':'}`);
    for (const line of countLines(there)) print(line);
    if (account) print(`          the account ${account.name} in the stage's user pool`);
    if (dryRun) {
      print('Nothing was done.');
      return true;
    }
    const what = `All of it is erased for good, but the conversations that others are in too: there, ${id} is shown without a name.`;
    await confirm(talk, id, what, 'the contact id');
  }

  // First, so that nobody signs in anew meanwhile.
  if (account) {
    await account.remove();
    print(`The account ${account.name} is removed.`);
  }
  const { erased, left } = await eraseThings(erasure).catch((error) => {
    throw stopped(error, 'What is erased stays so. Run the command again to go on.');
  });
  print(toErase(erased) === 0 ? `There was nothing to erase of ${id}.` : 'Erased:');
  for (const line of countLines({ ...erased, conversations: 0 })) print(line);
  const isClean = toErase(left) === 0;
  if (!isClean) {
    print('Still there, as somebody goes on writing with their token: run it again later.');
    for (const line of countLines(left)) print(line);
  }
  for (const line of afterErasure({
    ...options,
    now: clock.now(),
    conversations: erased.conversations,
  }))
    print(line);
  return isClean;
}

const narrowLine =
  'Only conversations of their own, of the given groups and of those of their last token are looked into: what they left in others stays.';
