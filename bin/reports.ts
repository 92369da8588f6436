import { Argument, Option } from '@commander-js/extra-typings';
import { defineCommand, run } from '../commands/cli/command.ts';
import { createPrompt } from '../commands/cli/command-tools.ts';
import { dataOption, stageOrLocalOption, yesOption } from '../commands/cli/common-options.ts';
import { confirm } from '../commands/cli/confirm.ts';
import { createIntegerParser } from '../commands/cli/option-parsers.ts';
import { UsageProblem } from '../commands/cli/usage-problem.ts';
import { findRunningStage } from '../commands/stage/running-stage.ts';
import { setTableEnvironment } from '../commands/stage/table-environment.ts';
import { parseContactId } from '../commands/users/parse-ids.ts';
import { suspendPerson } from '../commands/users/suspend-person.ts';

const helpText = `list            lists open reports, the oldest first
show            prints a report with its copy of the reported content, as JSON
close           closes one or more reports
remove-message  deletes the reported message, as its sender could
suspend         disables the account of a contact id, and revokes its refresh tokens
docs/runbook.md describes how to handle reports.`;

const prompt = createPrompt();

const command = defineCommand('reports', helpText)
  .addArgument(
    new Argument('<action>').choices([
      ...(['list', 'show', 'close', 'remove-message', 'suspend'] as const),
    ]),
  )
  .argument('[ids...]', 'report ids; for suspend, the contact id')
  .addOption(stageOrLocalOption())
  .addOption(dataOption())
  .optionsGroup('For list:')
  .option('--closed', 'list closed reports', false)
  .option('--newest', 'list the newest first', false)
  .addOption(
    new Option('--limit <number>', 'maximum number')
      .argParser(createIntegerParser(1, 1000))
      .default(50),
  )
  .option('--after <report>', 'continue after this report')
  .optionsGroup('For remove-message and suspend:')
  .addOption(yesOption())
  .action(async (action, ids, { stage, data, closed, newest, limit, after, yes }) => {
    const requireOneId = (): string => {
      const [id, ...others] = ids;
      if (id === undefined || others.length > 0) {
        throw new UsageProblem(`${action} requires exactly one id, not ${ids.length}.`);
      }
      return id;
    };
    const confirmChange = async (id: string, warning: string) => {
      if (!yes) await confirm({ prompt }, id, warning, 'its id');
    };
    if (action === 'list' && ids.length > 0) {
      throw new UsageProblem(`list accepts no ids: remove ${ids.join(' ')}.`);
    }
    if (action === 'close' && ids.length === 0) {
      throw new UsageProblem('Missing report id: pass at least one id after close.');
    }
    const id = action === 'list' || action === 'close' ? '' : requireOneId();
    const contactId = action === 'suspend' ? parseContactId(id) : id;

    const running = await findRunningStage(stage, data);
    if (action === 'suspend') {
      await confirmChange(contactId, `This suspends ${contactId}.`);
      console.log(await suspendPerson(running, { stage, data, contactId }));
      return;
    }
    await setTableEnvironment(running);
    // The module reads the table name on import, so the name must be set first.
    const reports = await import('../commands/reports/report-actions.ts');
    const lines = {
      list: () => reports.listLines({ isOpen: !closed, oldestFirst: !newest, count: limit, after }),
      show: () => reports.showLines(id),
      close: () => reports.closeAll(ids),
      'remove-message': () =>
        reports.removeMessage(id, (messageId) =>
          confirmChange(id, `This permanently deletes the message ${messageId} for everyone.`),
        ),
    };
    for (const line of await lines[action]()) console.log(line);
  });

await run(command);
