import { defineCommand, run } from '../commands/cli/command.ts';
import { withCommandTools } from '../commands/cli/command-tools.ts';
import { stageOption, yesOption } from '../commands/cli/common-options.ts';
import { destroy } from '../commands/deploy/destroy.ts';

const command = defineCommand('destroy')
  .addOption(stageOption())
  .addOption(yesOption())
  .action((options) => withCommandTools((tools) => destroy(options, tools)));

await run(command);
