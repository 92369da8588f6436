import { progressOn } from '../lib/businesses/progress.ts';
import { commandNamed, run } from '../lib/command/command.ts';
import { kind, wholeNumberFrom } from '../lib/command/kinds.ts';
import { dataOption, stageOrLocalOption, yesOption } from '../lib/command/options.ts';
import { asker } from '../lib/command/tools.ts';
import { removeAccount } from '../lib/privacy/account.ts';
import { toErase } from '../lib/privacy/counts.ts';
import type { Account } from '../lib/privacy/erase-person.ts';
import { accountIn, issuerOf } from '../lib/privacy/stage-account.ts';
import { type RunningStage, runningStage } from '../lib/running/stage.ts';
import { tableOf } from '../lib/running/table.ts';
import { useTableOf } from '../lib/running/table-code.ts';
import { contactIdIn, groupsIn } from '../lib/users/ids-given.ts';

const more =
  'Reads the whole table, slowly enough for nobody to notice. May be run again at any time. docs/privacy.md says what stays, and what is to be done elsewhere.';

const command = commandNamed('erase-person', more)
  .addOption(stageOrLocalOption())
  .addOption(dataOption())
  .requiredOption('--contact <id>', 'whose things', kind(contactIdIn))
  .option('--dry-run', 'tell what there is, and erase nothing', false)
  .addOption(yesOption())
  .option('--keep-account', "leave the account in the stage's user pool", false)
  .option('--narrow', 'look only into their own conversations and those of groups', false)
  .option('--groups <a,b>', 'with --narrow: of these groups too', kind(groupsIn), [])
  .option('--read-units <number>', 'a second, at most', wholeNumberFrom(1, 40_000), 500)
  .option('--write-units <number>', 'a second, at most', wholeNumberFrom(1, 40_000), 200)
  .action(
    async ({ contact: contactId, stage, data, keepAccount, readUnits, writeUnits, ...options }) => {
      const running = await runningStage(stage, data);
      useTableOf(running);
      // Only now: it reads at once which table it is about.
      const { erasePerson } = await import('../lib/privacy/erase-person.ts');
      const { showText, clear } = progressOn(process.stderr);
      const print = (line: string) => {
        clear();
        console.log(line);
      };
      const isClean = await erasePerson(
        {
          ...options,
          contactId,
          table: tableOf(running),
          place: stage ?? 'local',
          hasEvents: running.outputIfAny('LiveFailuresUrl') !== undefined,
          account: keepAccount ? undefined : await accountToRemove(running, stage, contactId),
          issuer: issuerOf(stage),
          rates: { reads: readUnits, writes: writeUnits },
        },
        { print, ask: asker(), onProgress: (counts) => showText(`${toErase(counts)} things`) },
      ).finally(clear);
      if (!isClean) process.exitCode = 1;
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
