import { defineCommand, run } from '../commands/cli/command.ts';
import { stageOption, yesOption } from '../commands/cli/options.ts';
import { withTools } from '../commands/cli/tools.ts';
import { deploy } from '../commands/deploy/deploy.ts';

const more =
  'Shows which account and region this terminal leads to, and says in the end how to try the stage. Asks before permissions grow, and before a stage that keeps its data changes. Refuses another account than the stage names, and what would replace or remove the table or the people.';

const command = defineCommand('deploy', more)
  .addOption(stageOption())
  .addOption(yesOption())
  .option('--no-checks', 'leave the checks out, as they have just been run')
  .option('--no-verify', 'do not look afterwards whether it works')
  .option(
    '--at-once',
    'new code serves at once, and not a tenth first: the way forward while an alarm is raised, and after npm run rollback',
    false,
  )
  .option(
    '--let-go <id...>',
    'of the template: these user pools or clients leave the stack, and stay in the account; never the table',
    [],
  )
  .action((options) => withTools((tools) => deploy(options, tools)));

await run(command);
