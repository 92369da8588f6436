import { commandNamed, run } from '../lib/command/command.ts';
import { stageOption, yesOption } from '../lib/command/options.ts';
import { withTools } from '../lib/command/tools.ts';
import { destroy } from '../lib/deploy/destroy.ts';

const command = commandNamed('destroy')
  .addOption(stageOption())
  .addOption(yesOption())
  .action((options) => withTools((tools) => destroy(options, tools)));

await run(command);
