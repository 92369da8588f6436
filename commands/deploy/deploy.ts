import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { Problem } from '../../lib/problem.ts';
import { stackNameOf } from '../../lib/stage-names.ts';
import { getStage } from '../../lib/stages.ts';
import { confirm, nobodyToAsk } from '../cli/confirm.ts';
import type { Tools } from '../cli/tools.ts';
import { requireLocation } from '../stage/place.ts';
import { atOnceOptions } from './at-once.ts';
import { commitOptions } from './commit.ts';
import { concernsOf } from './concerns.ts';
import { concurrencyConcerns } from './concurrency.ts';
import { deployClient } from './deploy-client.ts';
import { nextSteps } from './next-steps.ts';
import { settle } from './rollback/settle.ts';
import { findStack, isUpdate } from './stack-state.ts';
import { update } from './update.ts';

export interface DeployOptions {
  /** The stage's name. */
  stage: string;
  /** Skip the confirmation. */
  yes: boolean;
  /** Run the checks before the deployment. */
  checks: boolean;
  /** Verify the stage after the deployment. */
  verify: boolean;
  /** Deploy immediately: CodeDeploy rejects gradual deployments while an alarm is active. */
  atOnce: boolean;
  /** Logical ids of the resources that may leave the stack and stay in the account. */
  letGo: readonly string[];
}

/**
 * Deploys a stage: shows the account, runs the checks, shows the changes, asks for confirmation,
 * deploys, verifies the stage, and prints the next steps. Throws a Problem for an account other
 * than the stage's, and for changes that would lose data.
 */
export async function deploy(options: DeployOptions, tools: Tools): Promise<void> {
  const { stage: name } = options;
  const stage = getStage(name);
  const stackName = stackNameOf(name);
  if (!options.yes && !tools.ask) throw new Problem(nobodyToAsk);
  const caller = await requireLocation(name, stage, tools.print);
  const stack = await findStack(new CloudFormationClient(), stackName);
  const changes = isUpdate(stackName, stack);
  const concerns = [
    ...concernsOf(name, stage),
    ...(await concurrencyConcerns(new LambdaClient(), name, stage)),
  ];
  for (const concern of concerns) tools.print(`Mind: ${concern}`);

  if (options.checks) await tools.npm(['run', 'check']);
  const commit = await tools.commit();
  const context = [
    '-c',
    `stage=${name}`,
    ...atOnceOptions(options.atOnce),
    ...commitOptions(commit),
  ];
  await tools.cdk(['diff', stackName, ...context]);
  if (stage.keepsData && !options.yes) {
    for (const concern of concerns) tools.print(`Mind: ${concern}`);
    await confirm(tools, name, `This changes ${name}, which retains its data.`);
  }
  const approval = ['--require-approval', options.yes ? 'never' : 'broadening'];
  const outputs = ['--outputs-file', tools.outputsFile];
  if (changes) {
    const client = await deployClient(caller);
    const { letGo } = options;
    await update({ client, tools, stackName, context, approval, outputs, letGo });
  } else {
    await tools.cdk(['deploy', stackName, ...context, ...approval, ...outputs]);
  }
  await settle(name, tools.print);
  if (options.verify) await tools.verify(name);
  const { [stackName]: values = {} } = await tools.outputs();
  for (const line of nextSteps(name, stage, values, commit)) tools.print(line);
}
