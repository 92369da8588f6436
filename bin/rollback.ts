import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CodeDeployClient } from '@aws-sdk/client-codedeploy';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { defineCommand, run } from '../commands/cli/command.ts';
import { withCommandTools } from '../commands/cli/command-tools.ts';
import { stageOption, yesOption } from '../commands/cli/common-options.ts';
import { rollback } from '../commands/deploy/rollback/rollback.ts';
import { parseRollbackTarget } from '../commands/deploy/rollback/rollback-target.ts';
import { requireLocation } from '../commands/stage/stage-location.ts';
import { getStage } from '../lib/stages.ts';

const helpText =
  "Changes Lambda's aliases, regardless of alarms and without checks. Stops gradual deployments. Data, permissions and routes stay unchanged. Shows the plan and asks for confirmation.";

const targets = `
Targets:
  previous              the code before the last deployment; each further run goes back one more deployment
  2026-11-21T10:00:00Z  the state at that time, in UTC
  deployed              the version in the stack, which undoes a rollback
  12                    a version number; requires --function`;

const command = defineCommand('rollback', helpText)
  .addHelpText('after', targets)
  .addOption(stageOption())
  .option('--to <where>', 'one of the targets below', 'previous')
  .option(
    '--function <name>',
    'only this function, such as MessagesSend; requires --to with a version number',
  )
  .addOption(yesOption())
  .action(async ({ stage, to, function: functionId, yes }) => {
    const target = parseRollbackTarget(to, functionId);
    await withCommandTools(async ({ prompt, print }) => {
      await requireLocation(stage, getStage(stage), print);
      const aws = {
        cloudformation: new CloudFormationClient(),
        lambda: new LambdaClient(),
        codedeploy: new CodeDeployClient(),
        sleep: (milliseconds: number) => sleep(milliseconds),
        prompt,
        print,
      };
      await rollback(aws, { stage, target, yes });
    });
  });

await run(command);
