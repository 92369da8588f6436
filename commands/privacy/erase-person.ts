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

/** The person's account, if the stage has its own user pool. */
export interface Account {
  name: string;
  remove(): Promise<void>;
}

export interface ErasePerson {
  contactId: string;
  table: StageTable;
  /** The stage's name; `local` for the local cloud. */
  place: string;
  hasEvents: boolean;
  /** Undefined if there is no account to delete here. */
  account: Account | undefined;
  /** The external issuer of the stage's users, if it has no pool of its own. */
  issuer: string | undefined;
  /** Groups they have been in; searched only with `narrow`. */
  groups: readonly string[];
  narrow: boolean;
  dryRun: boolean;
  yes: boolean;
  rates: Erasure['rates'];
  pageSize?: number;
}

/** The input and output of a command. */
export interface Talk {
  print(line: string): void;
  /** Undefined if there is no terminal. */
  ask: ((question: string) => Promise<string>) | undefined;
  onProgress(counts: Counts): void;
}

/**
 * Lists the data of a person, asks for confirmation, and erases it. Returns whether the last search
 * found nothing. Throws a Problem if interrupted or not confirmed; it can be run again.
 */
export async function erasePerson(options: ErasePerson, talk: Talk): Promise<boolean> {
  const { contactId: id, table, place, account, dryRun, yes, narrow, rates } = options;
  const { print, onProgress } = talk;
  if (!dryRun && !yes && !talk.ask) await confirm(talk, id, '');
  const person = await personOf(table, id, options.groups);
  const legs = await legsOf(table, person, { narrow });
  const onWait = waitPrinter(id, print);
  const erasure = { ...options, id, legs, onProgress, onWait };
  if (person.erasedAt !== undefined) {
    print(`${id} was first erased on ${new Date(person.erasedAt).toISOString()}.`);
  }
  print(narrow ? narrowLine : costLine(await sizeOf(table), rates.reads));

  if (dryRun || !yes) {
    const there = await countThings(erasure);
    print(`Data of ${id} at ${place}${toErase(there) === 0 ? ': none.' : ':'}`);
    for (const line of countLines(there)) print(line);
    if (account) print(`          the account ${account.name} in the stage's user pool`);
    if (dryRun) {
      print('Nothing was changed.');
      return true;
    }
    const what = `This permanently erases all of it, except conversations with other participants: these show ${id} without a name.`;
    await confirm(talk, id, what, 'the contact id');
  }

  // First, so that no new sign-in is possible.
  if (account) {
    await account.remove();
    print(`Deleted the account ${account.name}.`);
  }
  const { erased, left } = await eraseThings(erasure).catch((error) => {
    throw stopped(error, 'Completed erasures are kept. Run the command again to continue.');
  });
  print(toErase(erased) === 0 ? `No data of ${id} found.` : 'Erased:');
  for (const line of countLines({ ...erased, conversations: 0 })) print(line);
  const isClean = toErase(left) === 0;
  if (!isClean) {
    print('Data remains that was stored during the run: run this again.');
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

/** Prints why an erasure waits. */
export const waitPrinter = (id: string, print: Talk['print']) => (milliseconds: number) =>
  print(`Waiting ${milliseconds / 1000} seconds, until all functions refuse writes of ${id}.`);

const narrowLine =
  'Searched only their own conversations and those of the given groups and of their last token: data in other conversations remains.';
