import { defineCommand, run } from '../commands/cli/command.ts';
import { readUnitsOption, stageOption, writeUnitsOption } from '../commands/cli/common-options.ts';
import { toParser } from '../commands/cli/option-parsers.ts';
import { createProgress } from '../commands/cli/progress.ts';
import { countErasable } from '../commands/privacy/items/item-counts.ts';
import { formatSwitchSteps } from '../commands/recovery/format-switch-steps.ts';
import { parsePointInTime } from '../commands/recovery/point-in-time.ts';
import { createRecoveryTools } from '../commands/recovery/recovery-tools.ts';
import { restoreTable, toTargetName } from '../commands/recovery/restore-table.ts';
import { findRunningStage } from '../commands/stage/running-stage.ts';
import { setTableEnvironment } from '../commands/stage/table-environment.ts';
import { toStackName } from '../lib/stage-names.ts';
import { getStage } from '../lib/stages.ts';

const helpText =
  "Restores the table to a new table, applies all settings, checks the new table, and prints how to switch to it. Does not change the stage's table or affect users. If the command is interrupted, run it again with the same --to or, after latest, with --table.";

const command = defineCommand('restore', helpText)
  .addOption(stageOption())
  .requiredOption(
    '--to <time>',
    "restore point: a UTC time, such as 2026-11-21T10:00:00Z, or 'latest', about five minutes ago",
    toParser(parsePointInTime),
  )
  .option('--table <name>', 'name of the new table; default: messaging-NAME-restored-TIME')
  .option(
    '--delete-again',
    'in the new table, repeat the deletions of conversations and groups, the removals of members and the erasures of people since TIME; reads both tables completely',
    false,
  )
  .addOption(readUnitsOption())
  .addOption(writeUnitsOption())
  .action(async ({ stage, to, table, deleteAgain, readUnits, writeUnits }) => {
    const running = await findRunningStage(stage, '');
    const { clear, showText } = createProgress(process.stderr);
    const print = (line: string) => {
      clear();
      console.log(line);
    };
    const tools = { ...createRecoveryTools(running.dynamodb), print };
    const source = running.output('TableName');
    const target = table ?? toTargetName(toStackName(stage), to, Date.now());
    const protect = getStage(stage).keepsData;
    const restored = await restoreTable(tools, { source, target, to, protect });
    if (deleteAgain) {
      await setTableEnvironment({
        ...running,
        output: (name) => (name === 'TableName' ? target : running.output(name)),
      });
      // The module reads the table name on import, so the name must be set first.
      const { repeatDeletionsAndErasures } = await import(
        '../commands/recovery/repeat-deletions-and-erasures.ts'
      );
      const rates = { reads: readUnits, writes: writeUnits };
      const isDone = await repeatDeletionsAndErasures(
        tools,
        { old: source, restored: target, rates },
        (counts) => showText(`${countErasable(counts)} items`),
      ).finally(clear);
      if (!isDone) process.exitCode = 1;
    }
    for (const line of formatSwitchSteps(stage, restored, source)) print(line);
  });

await run(command);
