import { defineCommand, run } from '../commands/cli/command.ts';
import { dataOption, readUnitsOption, stageOrLocalOption } from '../commands/cli/common-options.ts';
import { toParser } from '../commands/cli/option-parsers.ts';
import { createProgress } from '../commands/cli/progress.ts';
import { findRunningStage } from '../commands/stage/running-stage.ts';
import { openStageTable } from '../commands/stage/stage-table.ts';
import { setTableEnvironment } from '../commands/stage/table-environment.ts';
import { parseContactId, parseGroupIds } from '../commands/users/parse-ids.ts';
import { findStageAccount } from '../commands/users/stage-account.ts';

const helpText =
  'Writes one JSON object per line; docs/person-export.schema.json describes them. Copies uploaded files to the folder FILE.files. Without --narrow, reads the whole table at a low rate that does not affect users. If the command is interrupted, run it again with --resume.';

const command = defineCommand('export-person', helpText)
  .addOption(stageOrLocalOption())
  .addOption(dataOption())
  .requiredOption('--contact <id>', 'contact id of the person', toParser(parseContactId))
  .option('--file <file>', 'the file to create, readable only by you; default: person-ID.ndjson')
  .option('--resume', 'resume an interrupted export', false)
  .option(
    '--received',
    'include messages that other users sent in the person’s conversations',
    false,
  )
  .option(
    '--groups <a,b>',
    'the person’s past groups, in addition to the current groups',
    toParser(parseGroupIds),
    [],
  )
  .option('--narrow', 'search only the conversations of the person and of their groups', false)
  .addOption(readUnitsOption())
  .action(async ({ contact: contactId, stage, data, file = toFileName(contactId), ...options }) => {
    const running = await findRunningStage(stage, data);
    await setTableEnvironment(running);
    // The module reads the table name on import, so the name must be set first.
    const { exportPerson } = await import('../commands/privacy/export/export-person.ts');
    const { createFileCopier } = await import('../commands/privacy/export/copy-files.ts');
    const account = (await findStageAccount(running, stage, contactId))?.account;
    const { showText, clear } = createProgress(process.stderr);
    const print = (line: string) => {
      clear();
      console.error(line);
    };
    const records = await exportPerson(
      {
        ...options,
        contactId,
        table: openStageTable(running),
        stageName: stage ?? 'local',
        file,
        copyFiles: createFileCopier(running, `${file}.files`),
        account,
      },
      { print, onProgress: (count) => showText(`${count} records`) },
    ).finally(clear);
    console.log(`Wrote ${records} records of ${contactId} to ${file}.`);
  });

/** Returns a file name that is valid on every file system. */
const toFileName = (contactId: string) => `person-${contactId.replace(/[^\w.@+=,-]/g, '_')}.ndjson`;

await run(command, '--file');
