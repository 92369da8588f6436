import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { defineCommand, run } from '../commands/cli/command.ts';
import { kind } from '../commands/cli/kinds.ts';
import { stageOption } from '../commands/cli/options.ts';
import { UsageProblem } from '../commands/cli/usage-problem.ts';
import { exportTable } from '../commands/recovery/export.ts';
import { pointInTime } from '../commands/recovery/point-in-time.ts';
import { recoveryTools } from '../commands/recovery/tools.ts';
import { type RunningStage, runningStage } from '../commands/stage/stage.ts';
import { exportUsers } from '../commands/users/export-users.ts';
import { Problem } from '../lib/problem.ts';
import { getStage } from '../lib/stages.ts';

const more =
  "The bucket gets gzipped JSON, and nothing is taken of the table's capacity; the file is one here, with a JSON object a line. Give --bucket, --users, or both.";

const command = defineCommand('export', more)
  .addOption(stageOption())
  .option('--bucket <bucket>', 'in S3; docs/recovery.md says what it must allow')
  .option('--prefix <prefix>', 'of what is written there')
  .option(
    '--to <time>',
    'the table as it was then, in UTC, such as 2026-11-21T10:00:00Z; or latest',
    kind(pointInTime),
    'latest' as const,
  )
  .option(
    '--users <file>',
    'to be made, with ids, attributes and groups; broken off, run it again: it goes on',
  )
  .action(async ({ stage, bucket, prefix, to, users }) => {
    if (bucket === undefined && users === undefined) {
      throw new UsageProblem('Say where to: --bucket BUCKET, --users FILE, or both.');
    }
    if (users !== undefined) requirePool(stage);
    const running = await runningStage(stage, '');
    if (users !== undefined) await writeUsers(running, users);
    if (bucket === undefined) return;
    const source = running.output('TableName');
    const options = { source, bucket, prefix, to };
    console.log(`Its manifest is ${await exportTable(recoveryTools(running.dynamodb), options)}`);
  });

function requirePool(name: string): void {
  const { identity } = getStage(name);
  if (identity === 'user-pool') return;
  throw new Problem(`The people of ${name} are those of ${identity.issuer}: export them there.`);
}

async function writeUsers({ output }: RunningStage, file: string): Promise<void> {
  // A pool of many people refuses calls that come too fast; asking again after a while is all it
  // takes.
  const client = new CognitoIdentityProviderClient({ maxAttempts: 10 });
  const UserPoolId = output('UserPoolId');
  const people = await exportUsers({ client, UserPoolId, file, print: console.log });
  console.log(`${people} people of ${UserPoolId} are in ${file}.`);
}

await run(command);
