import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { defineCommand, run } from '../commands/cli/command.ts';
import { stageOption } from '../commands/cli/common-options.ts';
import { toParser } from '../commands/cli/option-parsers.ts';
import { UsageProblem } from '../commands/cli/usage-problem.ts';
import { exportTable } from '../commands/recovery/export-table.ts';
import { parsePointInTime } from '../commands/recovery/point-in-time.ts';
import { createRecoveryTools } from '../commands/recovery/recovery-tools.ts';
import { findRunningStage, type RunningStage } from '../commands/stage/running-stage.ts';
import { exportUsers } from '../commands/users/export-users.ts';
import { Problem } from '../lib/problem.ts';
import { getStage } from '../lib/stages.ts';

const helpText =
  "Writes the table as gzipped JSON to the bucket, without consuming the table's capacity. Writes the users to a local file, one JSON object per line. Specify --bucket, --users, or both.";

const command = defineCommand('export', helpText)
  .addOption(stageOption())
  .option('--bucket <bucket>', 'the S3 bucket; docs/recovery.md lists the required permissions')
  .option('--prefix <prefix>', 'key prefix of the export')
  .option(
    '--to <time>',
    'the time of the state to export, in UTC, such as 2026-11-21T10:00:00Z; or latest',
    toParser(parsePointInTime),
    'latest' as const,
  )
  .option(
    '--users <file>',
    'the file to create, with ids, attributes and groups; rerun the command to resume an interrupted export',
  )
  .action(async ({ stage, bucket, prefix, to, users }) => {
    if (bucket === undefined && users === undefined) {
      throw new UsageProblem(
        'Missing destination: specify --bucket BUCKET, --users FILE, or both.',
      );
    }
    if (users !== undefined) requirePool(stage);
    const running = await findRunningStage(stage, '');
    if (users !== undefined) await writeUsers(running, users);
    if (bucket === undefined) return;
    const source = running.output('TableName');
    const options = { source, bucket, prefix, to };
    console.log(`Manifest: ${await exportTable(createRecoveryTools(running.dynamodb), options)}`);
  });

function requirePool(name: string): void {
  const { identity } = getStage(name);
  if (identity === 'user-pool') return;
  throw new Problem(`The users of ${name} are in ${identity.issuer}: export them there.`);
}

async function writeUsers({ output }: RunningStage, file: string): Promise<void> {
  // Cognito throttles the export of large pools.
  const client = new CognitoIdentityProviderClient({ maxAttempts: 10 });
  const UserPoolId = output('UserPoolId');
  const count = await exportUsers({ client, UserPoolId, file, print: console.log });
  console.log(`Wrote ${count} users of ${UserPoolId} to ${file}.`);
}

await run(command);
