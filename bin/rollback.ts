import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CodeDeployClient } from '@aws-sdk/client-codedeploy';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { defineCommand, run } from '../commands/cli/command.ts';
import { stageOption, yesOption } from '../commands/cli/options.ts';
import { withTools } from '../commands/cli/tools.ts';
import { destinationIn } from '../commands/deploy/rollback/options.ts';
import { rollback } from '../commands/deploy/rollback/rollback.ts';
import { requireLocation } from '../commands/stage/place.ts';
import { getStage } from '../lib/stages.ts';

const more =
  "By Lambda's aliases, whatever the alarms say, with no checks before. Stops new code that is just being let in. Data, permissions and routes stay as they are. Shows what it will do, and asks.";

const destinations = `
Where to:
  previous              before the last deployment of which code serves; run again, it goes back by one more
  2026-11-21T10:00:00Z  as it was then, in UTC
  deployed              forward again: what the stack says
  12                    a version, with --function`;

const command = defineCommand('rollback', more)
  .addHelpText('after', destinations)
  .addOption(stageOption())
  .option('--to <where>', 'one of those below', 'previous')
  .option('--function <name>', 'this one alone, to one of its versions, such as MessagesSend')
  .addOption(yesOption())
  .action(async ({ stage, to, function: functionId, yes }) => {
    const destination = destinationIn(to, functionId);
    await withTools(async ({ ask, print }) => {
      await requireLocation(stage, getStage(stage), print);
      const aws = {
        cloudformation: new CloudFormationClient(),
        lambda: new LambdaClient(),
        codedeploy: new CodeDeployClient(),
        sleep: (milliseconds: number) => sleep(milliseconds),
        ask,
        print,
      };
      await rollback(aws, { stage, destination, yes });
    });
  });

await run(command);
