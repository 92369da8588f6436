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
  "Gives the new table all settings, checks it, and tells how to have it serve. The stage's table is only read, and nobody notices. Broken off, run it again with --table.";

const command = defineCommand('restore', more)
  .addOption(stageOption())
  .requiredOption(
    '--to <time>',
    'in UTC, such as 2026-11-21T10:00:00Z; or latest, which is some five minutes ago',
    kind(pointInTime),
  )
  .option('--table <name>', 'of the new table: messaging-NAME-restored-TIME unless given')
  .option(
    '--delete-again',
    'delete in the new table the conversations that have been deleted since TIME, and erase the people who have been erased; reads all of it, and of the one that serves',
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
      // Only now: it reads at once which table it is about.
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
