import { defineCommand, run } from '../commands/cli/command.ts';
import { stageOption, yesOption } from '../commands/cli/options.ts';
import { withTools } from '../commands/cli/tools.ts';
import { destroy } from '../commands/deploy/destroy.ts';

const command = defineCommand('destroy')
  .addOption(stageOption())
  .addOption(yesOption())
  .action((options) => withTools((tools) => destroy(options, tools)));

await run(command);
