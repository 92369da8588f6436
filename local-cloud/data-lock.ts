import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { isError, Problem, toErrorMessage } from '../lib/problem.ts';

/** Owner of the lock, shown only in the error message. */
const Owner = v.object({ pid: v.number(), host: v.string(), since: v.string() });

/** SQLite's error code for a file locked by another connection. */
const sqliteBusy = 5;

/**
 * References to open databases. Garbage collection would close an unreferenced database, and
 * thereby release its lock.
 */
const openDatabases = new Set<DatabaseSync>();

/**
 * Locks the folder against a second local cloud, and returns a function that releases the lock.
 * Throws a Problem if the folder is in use or not writable. SQLite takes an operating system file
 * lock. The lock also excludes other containers, and a suspended process retains it. Opening and
 * closing the file without SQLite would release the lock.
 */
export function lockDirectory(directory: string): () => void {
  const ownerFile = join(directory, 'owner.json');
  const database = openLockDatabase(directory);
  try {
    database.exec('BEGIN EXCLUSIVE');
    const owner = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
    writeFileSync(ownerFile, `${JSON.stringify(owner)}\n`);
  } catch (error) {
    database.close();
    if (isError(error) && 'errcode' in error && error.errcode === sqliteBusy) {
      throw createInUseProblem(readOwner(ownerFile), directory);
    }
    throw createNotWritableProblem(directory, error);
  }
  openDatabases.add(database);
  return () => {
    if (openDatabases.delete(database)) database.close();
  };
}

/** Creates the folder if it is missing. Throws a Problem if the folder is not writable. */
export function requireWritable(directory: string): void {
  try {
    createDirectory(resolve(directory));
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw createNotWritableProblem(directory, error);
  }
}

/**
 * Creates the folder and its parents. Avoids the `recursive` option, with which `mkdirSync` never
 * returns for a path below /proc.
 */
function createDirectory(directory: string): void {
  if (existsSync(directory)) return;
  createDirectory(dirname(directory));
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another process may have created the folder.
    if (!existsSync(directory)) throw error;
  }
}

function openLockDatabase(directory: string): DatabaseSync {
  try {
    createDirectory(resolve(directory));
    return new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 });
  } catch (error) {
    throw createNotWritableProblem(directory, error);
  }
}

const createNotWritableProblem = (directory: string, error: unknown) =>
  new Problem(
    `Cannot write to ${resolve(directory)} (${toErrorMessage(error)}): choose another folder with --data.`,
  );

function readOwner(ownerFile: string) {
  try {
    return v.parse(Owner, JSON.parse(readFileSync(ownerFile, 'utf8')));
  } catch {
    // The owner has the lock but has not written the file yet.
    return undefined;
  }
}

function createInUseProblem(
  owner: v.InferOutput<typeof Owner> | undefined,
  directory: string,
): Problem {
  const hostText = owner && owner.host !== hostname() ? ` on ${owner.host}` : '';
  const ownerText = owner
    ? `Process ${owner.pid}${hostText}, since ${owner.since}`
    : 'Another process';
  return new Problem(
    [
      `Another local cloud is using ${directory}: ${ownerText}.`,
      'Stop it (if it is suspended, first continue it with fg or kill -CONT),',
      'or choose another folder with --data.',
    ].join(' '),
  );
}
