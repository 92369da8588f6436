import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { Problem } from '../lib/problem.ts';

const SuspendedPeople = v.array(v.string());

/** Returns the path of the file that lists suspended users. `directory` is the data folder. */
export const getSuspendedFile = (directory: string) => join(directory, 'suspended.json');

async function readSuspended(directory: string): Promise<string[]> {
  const text = await readFile(getSuspendedFile(directory), 'utf8').catch(() => '[]');
  return v.parse(SuspendedPeople, JSON.parse(text));
}

/** Makes the local identity provider refuse new tokens for the user. Idempotent. */
export async function suspendLocalPerson(directory: string, contactId: string): Promise<void> {
  const suspended = new Set([...(await readSuspended(directory)), contactId]);
  await mkdir(directory, { recursive: true });
  await writeFile(getSuspendedFile(directory), `${JSON.stringify([...suspended])}\n`);
}

export async function requireNotSuspended(directory: string, contactId: string): Promise<void> {
  if (!(await readSuspended(directory)).includes(contactId)) return;
  throw new Problem(
    `${contactId} is suspended. To lift the suspension, remove the id from ${getSuspendedFile(directory)}.`,
  );
}
