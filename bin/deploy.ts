import { defineCommand, run } from '../commands/cli/command.ts';
import { withCommandTools } from '../commands/cli/command-tools.ts';
import { stageOption, yesOption } from '../commands/cli/common-options.ts';
import { deploy } from '../commands/deploy/deploy.ts';

const helpText =
  "Shows the account and region of this terminal. Asks before extending permissions, and before changing a stage that retains its data. Refuses an account other than the stage's. Refuses changes that might replace or remove the table or the user accounts. After the deployment, prints how to try the stage.";

const command = defineCommand('deploy', helpText)
  .addOption(stageOption())
  .addOption(yesOption())
  .option('--no-checks', 'skip the checks; use only if they have just passed')
  .option('--no-verify', 'do not verify the stage afterwards')
  .option(
    '--at-once',
    'deploy immediately instead of gradually: required while an alarm is active, and after npm run rollback',
    false,
  )
  .option(
    '--retain-resources <id...>',
    'logical ids of user pools or app clients that the deployment may remove from the stack but must retain in the account; the table must stay in the stack',
    [],
  )
  .action((options) => withCommandTools((tools) => deploy(options, tools)));

await run(command);
