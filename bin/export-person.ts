import { progressOn } from '../commands/businesses/progress.ts';
import { defineCommand, run } from '../commands/cli/command.ts';
import { kind } from '../commands/cli/kinds.ts';
import { dataOption, readUnitsOption, stageOrLocalOption } from '../commands/cli/options.ts';
import { accountIn } from '../commands/privacy/stage-account.ts';
import { runningStage } from '../commands/stage/stage.ts';
import { tableOf } from '../commands/stage/table.ts';
import { useTableOf } from '../commands/stage/table-code.ts';
import { contactIdIn, groupsIn } from '../commands/users/ids-given.ts';

const more =
  'Writes one JSON object per line; docs/person-export.schema.json describes them. Reads the whole table at a low rate that does not affect users. If interrupted, run it again with --resume.';

const command = defineCommand('export-person', more)
  .addOption(stageOrLocalOption())
  .addOption(dataOption())
  .requiredOption('--contact <id>', 'whose things', kind(contactIdIn))
  .option('--file <file>', 'the file to create, readable only by you; default: person-ID.ndjson')
  .option('--resume', 'resume an interrupted export', false)
  .option('--received', 'include what others sent in their conversations', false)
  .option(
    '--groups <a,b>',
    'groups they have been in, in addition to those of their last token',
    kind(groupsIn),
    [],
  )
  .option('--narrow', 'search only their own conversations and those of groups', false)
  .addOption(readUnitsOption())
  .action(async ({ contact: contactId, stage, data, file = fileOf(contactId), ...options }) => {
    const running = await runningStage(stage, data);
    useTableOf(running);
    // Loaded late, because it reads the table name when it loads.
    const { exportPerson } = await import('../commands/privacy/export-person.ts');
    const account = (await accountIn(running, stage, contactId))?.account;
    const { showText, clear } = progressOn(process.stderr);
    const print = (line: string) => {
      clear();
      console.error(line);
    };
    const records = await exportPerson(
      { ...options, contactId, table: tableOf(running), place: stage ?? 'local', file, account },
      { print, onProgress: (count) => showText(`${count} records`) },
    ).finally(clear);
    console.log(`Wrote ${records} records of ${contactId} to ${file}.`);
  });

/** Returns a file name that is valid on every file system. */
const fileOf = (contactId: string) => `person-${contactId.replace(/[^\w.@+=,-]/g, '_')}.ndjson`;

await run(command, '--file');
