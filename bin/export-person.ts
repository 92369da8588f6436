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
  'A JSON object a line; docs/person-export.schema.json says what is in it. Reads the whole table, slowly enough for nobody to notice. Broken off, run it again with --resume.';

const command = defineCommand('export-person', more)
  .addOption(stageOrLocalOption())
  .addOption(dataOption())
  .requiredOption('--contact <id>', 'whose things', kind(contactIdIn))
  .option('--file <file>', 'to be made, for your eyes only; person-ID.ndjson unless given')
  .option('--resume', 'go on where the same export was broken off', false)
  .option('--received', 'what others sent in their conversations, too', false)
  .option(
    '--groups <a,b>',
    'they have been in, beside those of their last token',
    kind(groupsIn),
    [],
  )
  .option('--narrow', 'look only into their own conversations and those of groups', false)
  .addOption(readUnitsOption())
  .action(async ({ contact: contactId, stage, data, file = fileOf(contactId), ...options }) => {
    const running = await runningStage(stage, data);
    useTableOf(running);
    // Only now: it reads at once which table it is about.
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
    console.log(`${records} records of ${contactId} are in ${file}.`);
  });

/** A name that every file system takes. */
const fileOf = (contactId: string) => `person-${contactId.replace(/[^\w.@+=,-]/g, '_')}.ndjson`;

await run(command, '--file');
