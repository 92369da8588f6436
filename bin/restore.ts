import { commandNamed, run } from '../lib/command/command.ts';
import { kind } from '../lib/command/kinds.ts';
import { stageOption } from '../lib/command/options.ts';
import { deleteAgain } from '../lib/recovery/delete-again.ts';
import { swapSteps } from '../lib/recovery/next-steps.ts';
import { pointInTime } from '../lib/recovery/point-in-time.ts';
import { restore, targetName } from '../lib/recovery/restore.ts';
import { recoveryTools } from '../lib/recovery/tools.ts';
import { runningStage } from '../lib/running/stage.ts';
import { stackNameOf } from '../lib/stage-names.ts';
import { stageNamed } from '../lib/stages.ts';

const more =
  "Gives the new table all settings, checks it, and tells how to have it serve. The stage's table is only read, and nobody notices. Broken off, run it again with --table.";

const command = commandNamed('restore', more)
  .addOption(stageOption())
  .requiredOption(
    '--to <time>',
    'in UTC, such as 2026-11-21T10:00:00Z; or latest, which is some five minutes ago',
    kind(pointInTime),
  )
  .option('--table <name>', 'of the new table: messaging-NAME-restored-TIME unless given')
  .option(
    '--delete-again',
    'delete in the new table the conversations that have been deleted since TIME; reads all of it',
    false,
  )
  .action(async ({ stage, to, table, deleteAgain: deletesAgain }) => {
    const { output, dynamodb } = await runningStage(stage, '');
    const tools = recoveryTools(dynamodb);
    const source = output('TableName');
    const target = table ?? targetName(stackNameOf(stage), to, Date.now());
    const protect = stageNamed(stage).keepsData;
    const restored = await restore(tools, { source, target, to, protect });
    if (deletesAgain) {
      const deleted = await deleteAgain(tools, { old: source, restored: target });
      console.log(`${deleted} conversations that were deleted since then are deleted again.`);
    }
    for (const line of swapSteps(stage, restored)) console.log(line);
  });

await run(command);
