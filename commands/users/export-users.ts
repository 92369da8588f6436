import { existsSync } from 'node:fs';
import { appendFile, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import {
  type CognitoIdentityProviderClient,
  InvalidParameterException,
  ListUsersCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { requireFolderOf } from '../../lib/require-folder.ts';
import { memberships, personOf } from './people.ts';

export interface UsersExport {
  client: CognitoIdentityProviderClient;
  UserPoolId: string;
  /**
   * The file to create. Only its owner can read it, because it contains email addresses and phone
   * numbers.
   */
  file: string;
  print(line: string): void;
}

/** The progress of an interrupted export. */
const Progress = v.object({
  UserPoolId: v.string(),
  PaginationToken: v.string(),
  /** Length of the unfinished file in bytes, and the number of users in it. */
  bytes: v.number(),
  people: v.number(),
});
type Progress = v.InferOutput<typeof Progress>;

const pageSize = 60;

/**
 * Writes all users of a pool to a file, one JSON object per line, and returns their number. If
 * interrupted, the next run with the same file resumes. The file gets its final name when it is
 * complete.
 */
export async function exportUsers(options: UsersExport): Promise<number> {
  const { client, UserPoolId, file, print } = options;
  if (existsSync(file)) throw new Problem(`${file} already exists: give another name.`);
  requireFolderOf(file);
  const groups = await memberships(client, UserPoolId);
  let progress = await leftOff(options);
  if (progress) print(`Resuming after ${progress.people} users.`);
  else await writeFile(part(file), '', { mode: 0o600 });
  for (let people = progress?.people ?? 0, bytes = progress?.bytes ?? 0; ; ) {
    const page = await client.send(
      new ListUsersCommand({
        UserPoolId,
        Limit: pageSize,
        ...(progress && { PaginationToken: progress.PaginationToken }),
      }),
    );
    const lines = (page.Users ?? []).map(
      (user) => `${JSON.stringify(personOf(user, groups.get(user.Username ?? '') ?? []))}\n`,
    );
    await appendFile(part(file), lines.join(''));
    people += lines.length;
    bytes += Buffer.byteLength(lines.join(''));
    if (page.PaginationToken === undefined) {
      await rename(part(file), file);
      await rm(mark(file), { force: true });
      return people;
    }
    progress = { UserPoolId, PaginationToken: page.PaginationToken, bytes, people };
    await writeFile(mark(file), JSON.stringify(progress), { mode: 0o600 });
  }
}

const part = (file: string) => `${file}.part`;
const mark = (file: string) => `${file}.progress`;

/**
 * Returns the progress of an interrupted export of the same pool to the same file; undefined if
 * there is none.
 */
async function leftOff({
  client,
  UserPoolId,
  file,
  print,
}: UsersExport): Promise<Progress | undefined> {
  if (!existsSync(mark(file)) || !existsSync(part(file))) return undefined;
  const read = v.safeParse(
    v.pipe(v.string(), v.parseJson(), Progress),
    await readFile(mark(file), 'utf8'),
  );
  if (!read.success || read.output.UserPoolId !== UserPoolId) return undefined;
  const { PaginationToken, bytes } = read.output;
  try {
    // Cognito's pagination tokens expire.
    await client.send(new ListUsersCommand({ UserPoolId, Limit: 1, PaginationToken }));
  } catch (error) {
    if (!(error instanceof InvalidParameterException)) throw error;
    print('The pagination token of Cognito has expired: starting again from the first user.');
    return undefined;
  }
  // Lines after the last checkpoint are written again.
  await truncate(part(file), bytes);
  return read.output;
}
