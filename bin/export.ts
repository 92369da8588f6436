/** `npm run export -- --stage staging --bucket my-exports`: all that is in a stage's table, as files in a bucket. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { runCommand } from '../lib/command.ts';
import { stageGiven } from '../lib/deploy/stage-given.ts';
import { Problem } from '../lib/local/problem.ts';
import { exportTable } from '../lib/recovery/export.ts';
import { pointInTime } from '../lib/recovery/point-in-time.ts';
import { runningStage } from '../lib/running/stage.ts';

const usage = `npm run export -- --stage NAME --bucket BUCKET [options]
  Writes all that is in the stage's table to a bucket, as gzipped JSON, and takes nothing of the table's capacity.
  --stage NAME     one of lib/stages.ts, with the AWS credentials and region of this terminal
  --bucket BUCKET  in S3; docs/recovery.md says what it must allow
  --prefix PREFIX  of what is written there
  --to TIME        as it was then, in UTC, such as 2026-11-21T10:00:00Z: latest
  --help           print this`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      bucket: { type: 'string' },
      prefix: { type: 'string' },
      to: { type: 'string', default: 'latest' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const { name } = stageGiven(values.stage);
  const to = pointInTime(values.to);
  const { bucket, prefix } = values;
  if (bucket === undefined) throw new Problem('Say where to: --bucket BUCKET.');
  const { output, dynamodb } = await runningStage(name, '');
  const world = {
    client: new DynamoDBClient(dynamodb),
    now: Date.now,
    sleep: (milliseconds: number) => sleep(milliseconds),
    print: console.log,
  };
  const source = output('TableName');
  console.log(`Its manifest is ${await exportTable(world, { source, bucket, prefix, to })}`);
}

runCommand(main, usage);
