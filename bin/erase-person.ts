import { Option } from '@commander-js/extra-typings';
import { defineCommand, run } from '../commands/cli/command.ts';
import { createPrompt } from '../commands/cli/command-tools.ts';
import {
  dataOption,
  readUnitsOption,
  stageOrLocalOption,
  writeUnitsOption,
  yesOption,
} from '../commands/cli/common-options.ts';
import { toParser } from '../commands/cli/option-parsers.ts';
import { createProgress } from '../commands/cli/progress.ts';
import { UsageProblem } from '../commands/cli/usage-problem.ts';
import type { Account, CommandOutput } from '../commands/privacy/erase/erase-person.ts';
import { countErasable } from '../commands/privacy/items/item-counts.ts';
import { findRunningStage, type RunningStage } from '../commands/stage/running-stage.ts';
import { openStageTable, openTable } from '../commands/stage/stage-table.ts';
import { setTableEnvironment } from '../commands/stage/table-environment.ts';
import { parseContactId, parseGroupIds } from '../commands/users/parse-ids.ts';
import { deletePoolAccount } from '../commands/users/pool-account.ts';
import { findStageAccount, getExternalIssuer } from '../commands/users/stage-account.ts';

const helpText =
  'Without --narrow, reads the whole table at a low rate that does not affect users. Can be repeated at any time. docs/privacy.md lists the data that remains and the steps in other systems.';

const command = defineCommand('erase-person', helpText)
  .addOption(stageOrLocalOption())
  .addOption(dataOption())
  .option('--contact <id>', 'contact id of the person', toParser(parseContactId))
  .addOption(
    new Option(
      '--erased-in <table>',
      'repeat the erasures recorded in this table, after a restore has brought the data back',
    ).conflicts(['contact', 'keepAccount', 'narrow', 'groups']),
  )
  .option('--dry-run', 'list the data and erase nothing', false)
  .addOption(yesOption())
  .option('--keep-account', "keep the account in the stage's user pool", false)
  .option('--narrow', 'search only the conversations of the person and of their groups', false)
  .option('--groups <a,b>', 'with --narrow: also search these groups', toParser(parseGroupIds), [])
  .addOption(readUnitsOption())
  .addOption(writeUnitsOption())
  .action(
    async ({ contact, erasedIn, stage, data, keepAccount, readUnits, writeUnits, ...options }) => {
      const subject = erasedIn === undefined ? contact : { erasedIn };
      if (subject === undefined) {
        throw new UsageProblem('Specify a person: --contact ID or --erased-in TABLE.');
      }
      const running = await findRunningStage(stage, data);
      await setTableEnvironment(running);
      const table = openStageTable(running);
      const hasEvents = running.findOutput('LiveFailuresUrl') !== undefined;
      const rates = { reads: readUnits, writes: writeUnits };
      const { showText, clear } = createProgress(process.stderr);
      const output: CommandOutput = {
        print: (line) => {
          clear();
          console.log(line);
        },
        prompt: createPrompt(),
        onProgress: (counts) => showText(`${countErasable(counts)} items`),
      };
      // These modules read the table name on import, so the name must be set first.
      const erase = async (): Promise<boolean> => {
        if (typeof subject === 'object') {
          const { repeatErasures } = await import('../commands/privacy/erase/repeat-erasures.ts');
          const old = openTable(subject.erasedIn, running.dynamodb);
          return repeatErasures({ ...options, old, restored: table, rates, hasEvents }, output);
        }
        const { erasePerson } = await import('../commands/privacy/erase/erase-person.ts');
        const account = keepAccount
          ? undefined
          : await findAccountToRemove(running, stage, subject);
        const stageName = stage ?? 'local';
        const issuer = getExternalIssuer(stage);
        return erasePerson(
          {
            ...options,
            contactId: subject,
            table,
            stageName,
            hasEvents,
            account,
            issuer,
            rates,
          },
          output,
        );
      };
      if (!(await erase().finally(clear))) process.exitCode = 1;
    },
  );

async function findAccountToRemove(
  running: RunningStage,
  stage: string | undefined,
  contactId: string,
): Promise<Account | undefined> {
  const found = await findStageAccount(running, stage, contactId);
  if (!found) return undefined;
  const { pool, account } = found;
  return { name: account.username, remove: () => deletePoolAccount(pool, account.username) };
}

await run(command);
