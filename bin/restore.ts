/** `npm run restore -- --stage staging --to 2026-11-21T10:00:00Z`: a new table of what a stage's table was at that time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { runCommand } from '../lib/command/command.ts';
import { stageGiven } from '../lib/command/stage-given.ts';
import { type Conversation, deleteAgain } from '../lib/recovery/delete-again.ts';
import { swapSteps } from '../lib/recovery/next-steps.ts';
import { pointInTime } from '../lib/recovery/point-in-time.ts';
import { restore, targetName } from '../lib/recovery/restore.ts';
import { runningStage } from '../lib/running/stage.ts';
import { stackNameOf } from '../lib/stage-names.ts';

const usage = `npm run restore -- --stage NAME --to TIME [options]
  Makes a new table of what the stage's table was at that time, gives it all settings, checks it, and tells how to
  have it serve. The stage's table is only read, and nobody notices. Broken off, run it again with --table.
  --stage NAME    one of lib/stages.ts, with the AWS credentials and region of this terminal
  --to TIME       in UTC, such as 2026-11-21T10:00:00Z; or latest, which is some five minutes ago
  --table NAME    of the new table: messaging-NAME-restored-TIME
  --delete-again  delete in the new table the conversations that have been deleted since TIME; reads all of it
  --help          print this`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      to: { type: 'string' },
      table: { type: 'string' },
      'delete-again': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const { name, stage } = stageGiven(values.stage);
  const to = pointInTime(values.to);
  const { output, dynamodb } = await runningStage(name, '');
  const world = {
    client: new DynamoDBClient(dynamodb),
    now: Date.now,
    sleep: (milliseconds: number) => sleep(milliseconds),
    print: console.log,
  };
  const source = output('TableName');
  const target = values.table ?? targetName(stackNameOf(name), to, Date.now());
  const restored = await restore(world, {
    source,
    target,
    to,
    protect: stage.keepsData,
  });
  if (values['delete-again']) {
    const deleted = await deleteAgain(world, {
      old: source,
      restored: target,
      remove: await removerOf(target),
    });
    console.log(`${deleted} conversations that were deleted since then are deleted again.`);
  }
  for (const line of swapSteps(name, restored)) console.log(line);
}

/** The service's own code, on that table, as the creator of the conversation. */
async function removerOf(table: string) {
  process.env.TABLE_NAME = table;
  const { deleteConversation } = await import('../shared/table/conversations/delete.ts');
  return ({ id, created_by, group_id }: Conversation) =>
    deleteConversation(id, creator(created_by, group_id), undefined);
}

const creator = (id: string, group: string | undefined) => ({
  id,
  groups: group === undefined ? [] : [group],
  username: null,
  phone_number: null,
  avatar_url: null,
});

runCommand(main, usage);
