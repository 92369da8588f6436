import { Option } from '@commander-js/extra-typings';
import { progressOn } from '../commands/businesses/progress.ts';
import { defineCommand, run } from '../commands/cli/command.ts';
import { kind } from '../commands/cli/kinds.ts';
import {
  dataOption,
  readUnitsOption,
  stageOrLocalOption,
  writeUnitsOption,
  yesOption,
} from '../commands/cli/options.ts';
import { asker } from '../commands/cli/tools.ts';
import { UsageProblem } from '../commands/cli/usage-problem.ts';
import { removeAccount } from '../commands/privacy/account.ts';
import { toErase } from '../commands/privacy/counts.ts';
import type { Account, Talk } from '../commands/privacy/erase-person.ts';
import { accountIn, issuerOf } from '../commands/privacy/stage-account.ts';
import { type RunningStage, runningStage } from '../commands/stage/stage.ts';
import { openTable, tableOf } from '../commands/stage/table.ts';
import { useTableOf } from '../commands/stage/table-code.ts';
import { contactIdIn, groupsIn } from '../commands/users/ids-given.ts';

const more =
  'Reads the whole table at a low rate that does not affect users. Can be repeated at any time. docs/privacy.md lists what remains and what to do elsewhere.';

const command = defineCommand('erase-person', more)
  .addOption(stageOrLocalOption())
  .addOption(dataOption())
  .option('--contact <id>', 'whose things', kind(contactIdIn))
  .addOption(
    new Option(
      '--erased-in <table>',
      'erase again all people who were erased in that table and came back with a restore',
    ).conflicts(['contact', 'keepAccount', 'narrow', 'groups']),
  )
  .option('--dry-run', 'list the data and erase nothing', false)
  .addOption(yesOption())
  .option('--keep-account', "keep the account in the stage's user pool", false)
  .option('--narrow', 'search only their own conversations and those of groups', false)
  .option('--groups <a,b>', 'with --narrow: also search these groups', kind(groupsIn), [])
  .addOption(readUnitsOption())
  .addOption(writeUnitsOption())
  .action(
    async ({ contact, erasedIn, stage, data, keepAccount, readUnits, writeUnits, ...options }) => {
      const whose = erasedIn === undefined ? contact : { erasedIn };
      if (whose === undefined) {
        throw new UsageProblem('Give --contact ID or --erased-in TABLE.');
      }
      const running = await runningStage(stage, data);
      useTableOf(running);
      const table = tableOf(running);
      const hasEvents = running.outputIfAny('LiveFailuresUrl') !== undefined;
      const rates = { reads: readUnits, writes: writeUnits };
      const { showText, clear } = progressOn(process.stderr);
      const talk: Talk = {
        print: (line) => {
          clear();
          console.log(line);
        },
        ask: asker(),
        onProgress: (counts) => showText(`${toErase(counts)} things`),
      };
      // Loaded late, because these modules read the table name when they load.
      const erase = async (): Promise<boolean> => {
        if (typeof whose === 'object') {
          const { eraseAgain } = await import('../commands/privacy/erase-again.ts');
          const old = openTable(whose.erasedIn, running.dynamodb);
          return eraseAgain({ ...options, old, restored: table, rates, hasEvents }, talk);
        }
        const { erasePerson } = await import('../commands/privacy/erase-person.ts');
        const account = keepAccount ? undefined : await accountToRemove(running, stage, whose);
        const place = stage ?? 'local';
        const issuer = issuerOf(stage);
        return erasePerson(
          { ...options, contactId: whose, table, place, hasEvents, account, issuer, rates },
          talk,
        );
      };
      if (!(await erase().finally(clear))) process.exitCode = 1;
    },
  );

async function accountToRemove(
  running: RunningStage,
  stage: string | undefined,
  contactId: string,
): Promise<Account | undefined> {
  const found = await accountIn(running, stage, contactId);
  if (!found) return undefined;
  const { pool, account } = found;
  return { name: account.username, remove: () => removeAccount(pool, account.username) };
}

await run(command);
