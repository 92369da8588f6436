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
  /** Is made, and readable by nobody else: it has everybody's addresses and numbers. */
  file: string;
  print(line: string): void;
}

/** How far an export has got that was broken off. */
const Progress = v.object({
  UserPoolId: v.string(),
  PaginationToken: v.string(),
  /** Of the unfinished file, and of the people in it. */
  bytes: v.number(),
  people: v.number(),
});
type Progress = v.InferOutput<typeof Progress>;

const pageSize = 60;

/**
 * Writes everybody of a user pool to a file, a JSON object a line, and gives how many they are. Broken off and begun
 * again with the same file, it goes on where it was; the file has its name once it is whole.
 */
export async function exportUsers(options: UsersExport): Promise<number> {
  const { client, UserPoolId, file, print } = options;
  if (existsSync(file)) throw new Problem(`${file} is there already: give another name.`);
  requireFolderOf(file);
  const groups = await memberships(client, UserPoolId);
  let progress = await leftOff(options);
  if (progress) print(`Going on after ${progress.people} people.`);
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

/** Where an export of the same pool to the same file was broken off; undefined when it has to begin. */
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
    // Cognito forgets a token after a while.
    await client.send(new ListUsersCommand({ UserPoolId, Limit: 1, PaginationToken }));
  } catch (error) {
    if (!(error instanceof InvalidParameterException)) throw error;
    print('Cognito does not know any more where it was: beginning again.');
    return undefined;
  }
  // What came after the last mark is written again.
  await truncate(part(file), bytes);
  return read.output;
}
