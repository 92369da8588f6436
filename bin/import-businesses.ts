import { formatFault } from '../commands/businesses/fault.ts';
import { importBusinesses } from '../commands/businesses/import-businesses.ts';
import { defineCommand, run } from '../commands/cli/command.ts';
import { dataOption, stageOrLocalOption } from '../commands/cli/common-options.ts';
import { createProgress } from '../commands/cli/progress.ts';
import { findRunningStage } from '../commands/stage/running-stage.ts';
import { openStageTable } from '../commands/stage/stage-table.ts';

const command = defineCommand('import-businesses')
  .argument('<file>', 'JSON (a list, or an object with a list as `data`) or NDJSON, in UTF-8')
  .addOption(stageOrLocalOption())
  .addOption(dataOption())
  .option('--skip-invalid', 'store the valid records even if others are invalid', false)
  .action(async (file, { stage, data, skipInvalid }) => {
    const table = openStageTable(await findRunningStage(stage, data));
    const { show: onProgress, showText, clear } = createProgress(process.stderr);
    showText(`Checking ${file} …`);
    const { faults, saved } = await importBusinesses({
      file,
      table,
      skipInvalid,
      onProgress,
    }).finally(clear);

    for (const fault of faults) console.error(formatFault(file, fault));
    if (!saved) {
      console.error('\nNothing was written. To store the valid records, add --skip-invalid.');
      process.exitCode = 1;
      return;
    }
    if (faults.length > 0) console.error('\nThese records were skipped.');
    console.log(`${saved.new} new, ${saved.changed} changed, ${saved.unchanged} unchanged.`);
  });

await run(command);
