import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { Problem } from '../../lib/problem.ts';
import { toStackName } from '../../lib/stage-names.ts';
import { getStage } from '../../lib/stages.ts';
import type { CommandTools } from '../cli/command-tools.ts';
import { confirm, noTerminalText } from '../cli/confirm.ts';
import { requireLocation } from '../stage/stage-location.ts';
import { toCommitOptions } from './commit-context.ts';
import { getConcurrencyWarnings } from './concurrency-warnings.ts';
import { createDeployClient } from './deploy-client.ts';
import { getDeployWarnings } from './deploy-warnings.ts';
import { formatNextSteps } from './format-next-steps.ts';
import { getLogRoleWarnings } from './gateway-log-role.ts';
import { toImmediateOptions } from './immediate-deploy.ts';
import { moveToStackVersions } from './rollback/restore-stack-versions.ts';
import { findStack, isUpdate } from './stack-state.ts';
import { updateStack } from './update-stack.ts';

export interface DeployOptions {
  stage: string;
  yes: boolean;
  checks: boolean;
  verify: boolean;
  /**
   * Whether to deploy without CodeDeploy, which rejects gradual deployments while an alarm is
   * active.
   */
  atOnce: boolean;
  /** Logical ids of the resources that may leave the stack if they remain in the account. */
  retainResources: readonly string[];
}

/**
 * Shows the changes to a stage and, if the stage retains its data, asks for confirmation. Then
 * deploys the stage. Throws a Problem if a step fails, if this terminal's account or region differs
 * from the stage's, or if changes would or might lose data.
 */
export async function deploy(options: DeployOptions, tools: CommandTools): Promise<void> {
  const { stage: name } = options;
  const stage = getStage(name);
  const stackName = toStackName(name);
  if (!options.yes && !tools.prompt) throw new Problem(noTerminalText);
  const caller = await requireLocation(name, stage, tools.print);
  const stack = await findStack(new CloudFormationClient(), stackName);
  const exists = isUpdate(stackName, stack);
  const warnings = [
    ...getDeployWarnings(name, stage),
    ...(await getConcurrencyWarnings(new LambdaClient(), name, stage)),
    ...(exists ? [] : await getLogRoleWarnings(caller.region, stackName)),
  ];
  for (const warning of warnings) tools.print(`Warning: ${warning}`);

  if (options.checks) await tools.npm(['run', 'check']);
  const commit = await tools.commit();
  const context = [
    '-c',
    `stage=${name}`,
    ...toImmediateOptions(options.atOnce),
    ...toCommitOptions(commit),
  ];
  await tools.cdk(['diff', stackName, ...context]);
  if (stage.keepsData && !options.yes) {
    for (const warning of warnings) tools.print(`Warning: ${warning}`);
    await confirm(tools, name, `This changes ${name}, which retains its data.`);
  }
  const approval = ['--require-approval', options.yes ? 'never' : 'broadening'];
  const outputs = ['--outputs-file', tools.outputsFile];
  if (exists) {
    const client = await createDeployClient(caller);
    const releasedIds = options.retainResources;
    await updateStack({ client, tools, stackName, context, approval, outputs, releasedIds });
  } else {
    await tools.cdk(['deploy', stackName, ...context, ...approval, ...outputs]);
  }
  await moveToStackVersions(name, tools.print);
  if (options.verify) await tools.verify(name);
  const { [stackName]: values = {} } = await tools.outputs();
  for (const line of formatNextSteps(name, stage, values, commit)) tools.print(line);
}
