import { progressOn } from '../commands/businesses/progress.ts';
import { defineCommand, run } from '../commands/cli/command.ts';
import { kind } from '../commands/cli/kinds.ts';
import { readUnitsOption, stageOption, writeUnitsOption } from '../commands/cli/options.ts';
import { toErase } from '../commands/privacy/counts.ts';
import { swapSteps } from '../commands/recovery/next-steps.ts';
import { pointInTime } from '../commands/recovery/point-in-time.ts';
import { restore, targetName } from '../commands/recovery/restore.ts';
import { recoveryTools } from '../commands/recovery/tools.ts';
import { runningStage } from '../commands/stage/stage.ts';
import { useTableOf } from '../commands/stage/table-code.ts';
import { stackNameOf } from '../lib/stage-names.ts';
import { getStage } from '../lib/stages.ts';

const more =
  "Restores the table to a new one, applies all settings, checks it, and prints how to switch to it. Only reads the stage's table, without affecting users. If interrupted, run it again with --table.";

const command = defineCommand('restore', more)
  .addOption(stageOption())
  .requiredOption(
    '--to <time>',
    'in UTC, such as 2026-11-21T10:00:00Z; or latest, about five minutes ago',
    kind(pointInTime),
  )
  .option('--table <name>', 'name of the new table; default: messaging-NAME-restored-TIME')
  .option(
    '--delete-again',
    'delete in the new table the conversations deleted since TIME, and erase the people erased since; reads both tables completely',
    false,
  )
  .addOption(readUnitsOption())
  .addOption(writeUnitsOption())
  .action(async ({ stage, to, table, deleteAgain, readUnits, writeUnits }) => {
    const running = await runningStage(stage, '');
    const { clear, showText } = progressOn(process.stderr);
    const print = (line: string) => {
      clear();
      console.log(line);
    };
    const tools = { ...recoveryTools(running.dynamodb), print };
    const source = running.output('TableName');
    const target = table ?? targetName(stackNameOf(stage), to, Date.now());
    const protect = getStage(stage).keepsData;
    const restored = await restore(tools, { source, target, to, protect });
    if (deleteAgain) {
      useTableOf({
        ...running,
        output: (name) => (name === 'TableName' ? target : running.output(name)),
      });
      // Loaded late, because it reads the table name when it loads.
      const { deleteAndEraseAgain } = await import('../commands/recovery/again.ts');
      const rates = { reads: readUnits, writes: writeUnits };
      const isDone = await deleteAndEraseAgain(
        tools,
        { old: source, restored: target, rates },
        (counts) => showText(`${toErase(counts)} things`),
      ).finally(clear);
      if (!isDone) process.exitCode = 1;
    }
    for (const line of swapSteps(stage, restored, source)) print(line);
  });

await run(command);
