/**
 * `npm run export -- --stage staging --bucket my-exports --users people.ndjson`: all that is in a stage's table, as files
 * in a bucket, and everybody who is in its user pool, as a file here.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { runCommand } from '../lib/command/command.ts';
import { stageGiven } from '../lib/command/stage-given.ts';
import { exportUsers } from '../lib/identity/export-users.ts';
import { Problem } from '../lib/problem.ts';
import { exportTable } from '../lib/recovery/export.ts';
import { pointInTime } from '../lib/recovery/point-in-time.ts';
import { type RunningStage, runningStage } from '../lib/running/stage.ts';
import type { Stage } from '../lib/stages.ts';

const usage = `npm run export -- --stage NAME [--bucket BUCKET] [--users FILE] [options]
  Writes all that is in the stage's table to a bucket, as gzipped JSON, and takes nothing of the table's capacity; or
  everybody who is in its user pool to a file here, a JSON object a line; or both.
  --stage NAME     one of lib/stages.ts, with the AWS credentials and region of this terminal
  --bucket BUCKET  in S3; docs/recovery.md says what it must allow
  --prefix PREFIX  of what is written there
  --to TIME        the table as it was then, in UTC, such as 2026-11-21T10:00:00Z: latest
  --users FILE     to be made, with ids, attributes and groups; broken off, run it again: it goes on
  --help           print this`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      bucket: { type: 'string' },
      prefix: { type: 'string' },
      to: { type: 'string', default: 'latest' },
      users: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const { name, stage } = stageGiven(values.stage);
  const to = pointInTime(values.to);
  const { bucket, prefix, users } = values;
  if (bucket === undefined && users === undefined) {
    throw new Problem('Say where to: --bucket BUCKET, --users FILE, or both.');
  }
  if (users !== undefined) requirePool(name, stage);
  const running = await runningStage(name, '');
  if (users !== undefined) await writeUsers(running, users);
  if (bucket === undefined) return;
  const world = {
    client: new DynamoDBClient(running.dynamodb),
    now: Date.now,
    sleep: (milliseconds: number) => sleep(milliseconds),
    print: console.log,
  };
  const source = running.output('TableName');
  console.log(`Its manifest is ${await exportTable(world, { source, bucket, prefix, to })}`);
}

function requirePool(name: string, { identity }: Stage): void {
  if (identity === 'user-pool') return;
  throw new Problem(`The people of ${name} are those of ${identity.issuer}: export them there.`);
}

async function writeUsers({ output }: RunningStage, file: string): Promise<void> {
  // A pool of many people refuses calls that come too fast; asking again after a while is all it takes.
  const client = new CognitoIdentityProviderClient({ maxAttempts: 10 });
  const UserPoolId = output('UserPoolId');
  const people = await exportUsers({ client, UserPoolId, file, print: console.log });
  console.log(`${people} people of ${UserPoolId} are in ${file}.`);
}

runCommand(main, usage);
