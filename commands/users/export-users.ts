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
import { readMemberships, toPoolUser } from './pool-user.ts';

export interface UsersExport {
  client: CognitoIdentityProviderClient;
  UserPoolId: string;
  /** Output file, readable only by its owner: it contains email addresses and phone numbers. */
  file: string;
  print(line: string): void;
}

const Progress = v.object({
  UserPoolId: v.string(),
  PaginationToken: v.string(),
  /** Length of the unfinished file in bytes. */
  bytes: v.number(),
  users: v.number(),
});
type Progress = v.InferOutput<typeof Progress>;

const pageSize = 60;

/**
 * Writes all users of a pool to a file, one JSON object per line, and returns the number of users.
 * The next run with the same file resumes an interrupted export. The file gets its final name when
 * it is complete. Throws a Problem if the file exists or its folder is missing.
 */
export async function exportUsers(options: UsersExport): Promise<number> {
  const { client, UserPoolId, file, print } = options;
  if (existsSync(file)) throw new Problem(`${file} already exists: specify another name.`);
  requireFolderOf(file);
  const groups = await readMemberships(client, UserPoolId);
  let progress = await readProgress(options);
  if (progress) print(`Resuming after ${progress.users} users.`);
  else await writeFile(toPartPath(file), '', { mode: 0o600 });
  for (let users = progress?.users ?? 0, bytes = progress?.bytes ?? 0; ; ) {
    const page = await client.send(
      new ListUsersCommand({
        UserPoolId,
        Limit: pageSize,
        ...(progress && { PaginationToken: progress.PaginationToken }),
      }),
    );
    const lines = (page.Users ?? []).map(
      (user) => `${JSON.stringify(toPoolUser(user, groups.get(user.Username ?? '') ?? []))}\n`,
    );
    await appendFile(toPartPath(file), lines.join(''));
    users += lines.length;
    bytes += Buffer.byteLength(lines.join(''));
    if (page.PaginationToken === undefined) {
      await rename(toPartPath(file), file);
      await rm(toProgressPath(file), { force: true });
      return users;
    }
    progress = { UserPoolId, PaginationToken: page.PaginationToken, bytes, users };
    await writeFile(toProgressPath(file), JSON.stringify(progress), { mode: 0o600 });
  }
}

const toPartPath = (file: string) => `${file}.part`;
const toProgressPath = (file: string) => `${file}.progress`;

/**
 * Returns the progress of an interrupted export, and truncates the unfinished file to `bytes`.
 * Returns undefined if no progress for this pool is stored, or if the pagination token has expired.
 */
async function readProgress({
  client,
  UserPoolId,
  file,
  print,
}: UsersExport): Promise<Progress | undefined> {
  if (!existsSync(toProgressPath(file)) || !existsSync(toPartPath(file))) return undefined;
  const parsed = v.safeParse(
    v.pipe(v.string(), v.parseJson(), Progress),
    await readFile(toProgressPath(file), 'utf8'),
  );
  if (!parsed.success || parsed.output.UserPoolId !== UserPoolId) return undefined;
  const { PaginationToken, bytes } = parsed.output;
  try {
    await client.send(new ListUsersCommand({ UserPoolId, Limit: 1, PaginationToken }));
  } catch (error) {
    if (!(error instanceof InvalidParameterException)) throw error;
    print('The Cognito pagination token has expired: restarting from the first user.');
    return undefined;
  }
  // Removes the lines after the last checkpoint, because this run writes them again.
  await truncate(toPartPath(file), bytes);
  return parsed.output;
}
