import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { isError, messageOf, Problem } from '../lib/problem.ts';

/** What the owner leaves word of; only for the message to others. */
const Owner = v.object({ pid: v.number(), host: v.string(), since: v.string() });

/** SQLite's code for what another connection has locked. */
const busy = 5;

/** Garbage collection closes a database that nobody holds, and a lock must not depend on who keeps what it gave. */
const held = new Set<DatabaseSync>();

/**
 * Keeps a second local cloud out of the folder. The lock is one of the operating system on a file, taken through SQLite, which
 * knows how on each of them: it ends with its process, however that ends, and not before. So a process that is only
 * suspended keeps it, and no id, port or heartbeat has to be believed, also between containers that share the folder.
 * (As such locks go, this process loses it when it opens and closes the file by other means: nobody else may touch it.)
 */
export function lockDirectory(directory: string): () => void {
  const note = join(directory, 'owner.json');
  const database = openIn(directory);
  try {
    database.exec('BEGIN EXCLUSIVE');
    const owner = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
    writeFileSync(note, `${JSON.stringify(owner)}\n`);
  } catch (error) {
    database.close();
    if (isError(error) && 'errcode' in error && error.errcode === busy) {
      throw heldBy(readOwner(note), directory);
    }
    throw cannotBeStored(directory, error);
  }
  held.add(database);
  return () => {
    if (held.delete(database)) database.close();
  };
}

/** Throws a Problem if nothing can be written into the folder, which is made if there is none. */
export function requireWritable(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw cannotBeStored(directory, error);
  }
}

function openIn(directory: string): DatabaseSync {
  try {
    mkdirSync(directory, { recursive: true });
    return new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 });
  } catch (error) {
    throw cannotBeStored(directory, error);
  }
}

const cannotBeStored = (directory: string, error: unknown) =>
  new Problem(
    `Nothing can be kept in ${resolve(directory)} (${messageOf(error)}): choose another folder with --data.`,
  );

function readOwner(note: string) {
  try {
    return v.parse(Owner, JSON.parse(readFileSync(note, 'utf8')));
  } catch {
    // It has the lock, and has not left word yet.
    return undefined;
  }
}

function heldBy(owner: v.InferOutput<typeof Owner> | undefined, directory: string): Problem {
  const elsewhere = owner && owner.host !== hostname() ? ` on ${owner.host}` : '';
  const who = owner ? `Process ${owner.pid}${elsewhere}, since ${owner.since}` : 'Another process';
  return new Problem(
    [
      `Another local cloud is using ${directory}: ${who}.`,
      'Stop it (one that is suspended goes on with fg, or kill -CONT, and then hears Ctrl-C),',
      'or choose another folder with --data, or --in-memory.',
    ].join(' '),
  );
}
