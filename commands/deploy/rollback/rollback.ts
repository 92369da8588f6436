import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { CodeDeployClient } from '@aws-sdk/client-codedeploy';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import { Problem } from '../../../lib/problem.ts';
import { stackNameOf } from '../../../lib/stage-names.ts';
import { confirm, nobodyToAsk } from '../../cli/confirm.ts';
import type { Tools } from '../../cli/tools.ts';
import { inUtc } from '../../recovery/point-in-time.ts';
import { type DeployedFunctions, deployedFunctions } from './deployed-functions.ts';
import { type Move, moveAll } from './move.ts';
import type { Destination } from './options.ts';
import { planBefore, planDeployed, planVersion, type Step, updateThatServes } from './plan.ts';
import { type ServingFunction, servingFunction } from './serving.ts';
import { stackUpdates } from './stack-updates.ts';
import { gradualDeployments, stopGradual } from './stop-gradual.ts';

export interface RollbackTools extends Pick<Tools, 'ask' | 'print'> {
  cloudformation: CloudFormationClient;
  lambda: LambdaClient;
  codedeploy: CodeDeployClient;
  sleep(milliseconds: number): Promise<void>;
}

export interface RollbackOptions {
  stage: string;
  destination: Destination;
  /** Skip the confirmation. */
  yes: boolean;
}

/**
 * Moves every function of a stage to previously deployed code, immediately and regardless of
 * alarms. Shows the plan, asks for confirmation, stops gradual deployments, and reports each
 * function. Can be repeated at any time.
 */
export async function rollback(
  tools: RollbackTools,
  { stage, destination, yes }: RollbackOptions,
): Promise<void> {
  const { cloudformation, lambda, codedeploy, print } = tools;
  if (!yes && !tools.ask) throw new Problem(nobodyToAsk);
  const deployed = await deployedFunctions(cloudformation, stackNameOf(stage));
  const functions: ServingFunction[] = [];
  for (const one of deployed.functions) {
    const found = await servingFunction(lambda, one);
    if (found) functions.push(found);
    else print(`  ${one.id} differs from the stack: it has no alias ${one.alias}. Unchanged.`);
  }
  if (functions.length === 0)
    throw new Problem(`The stack ${stackNameOf(stage)} has no functions.`);
  const { steps, remarks } = await planFor(tools, stage, functions, destination);
  for (const line of [...steps.map(stepText), '', ...remarks]) print(line);
  const moves = steps.flatMap(({ one, to }): Move[] =>
    to ? [{ one, from: one.serving, to: to.number }] : [],
  );
  const running = await gradualDeployments(codedeploy, deployed);
  if (moves.length === 0 && running.length === 0) {
    print('Nothing to do.');
    return;
  }
  if (running.length > 0) print(`CodeDeploy deployments to stop: ${running.length}.`);
  if (!yes) await confirm(tools, stage, 'This changes the running code for all users immediately.');
  await carryOut(tools, deployed, running, moves);
  for (const line of afterwards(stage, destination)) print(line);
}

async function carryOut(
  { lambda, codedeploy, sleep, print }: RollbackTools,
  { application }: DeployedFunctions,
  running: readonly string[],
  moves: readonly Move[],
) {
  if (application !== undefined) await stopGradual({ codedeploy, sleep, print }, running);
  const failed = await moveAll(lambda, moves, print);
  if (failed > 0) {
    throw new Problem(
      `${failed} of ${moves.length} functions could not be moved: run this command again.`,
    );
  }
}

async function planFor(
  { cloudformation }: RollbackTools,
  stage: string,
  functions: ServingFunction[],
  destination: Destination,
): Promise<{ steps: Step[]; remarks: string[] }> {
  if (destination.to === 'deployed') return { steps: planDeployed(functions), remarks: [] };
  if (destination.to === 'version')
    return { steps: [oneFunction(functions, destination)], remarks: [] };
  if (destination.to === 'moment') {
    return { steps: planBefore(functions, destination.moment), remarks: [] };
  }
  const update = await updateThatServes(
    functions,
    stackUpdates(cloudformation, stackNameOf(stage)),
  );
  if (!update || update.isFirst) {
    throw new Problem(
      'CloudFormation has no record of a deployment before the running code. Give a time with --to TIME.',
    );
  }
  return {
    steps: planBefore(functions, update.start),
    remarks: [
      `Target: the state before the deployment of ${inUtc(update.start)}.`,
      ...left(update),
    ],
  };
}

/** Changes of a deployment that moving function versions does not revert. */
function left({ changed }: { changed: { type: string; id: string }[] }): string[] {
  if (changed.length === 0) return [];
  return [
    'That deployment also made these changes, which are not reverted (docs/runbook.md#going-back):',
    ...changed.map(({ type, id }) => `  ${type} ${id}`),
  ];
}

function oneFunction(
  functions: ServingFunction[],
  { functionId, version }: { functionId: string; version: number },
): Step {
  const one = functions.find(({ id }) => id === functionId);
  if (!one) {
    throw new Problem(
      `No function ${functionId}. Functions: ${functions.map(({ id }) => id).join(', ')}.`,
    );
  }
  const to = one.versions.find(({ number }) => number === version);
  if (to) return planVersion(one, to);
  const kept = one.versions.map((known) => `${known.number} (${inUtc(known.published)})`);
  throw new Problem(`${functionId} has no version ${version}. Versions: ${kept.join(', ')}.`);
}

const stepText = ({ one, to, why }: Step): string => {
  const from = one.serving.join(' and ');
  return to
    ? `  ${one.id}: ${from} → ${to.number}, published ${inUtc(to.published)}`
    : `  ${one.id}: ${from} stays, because it ${why}`;
};

const afterwards = (stage: string, { to }: Destination): string[] =>
  to === 'deployed'
    ? ['', 'Every function runs the version of the stack.']
    : [
        '',
        'Cached decisions about tokens stay valid for five minutes, because the gateway caches the authorizer’s responses.',
        'CloudFormation does not track this change. The next deployment must be immediate, and replaces it:',
        `  npm run deploy -- --stage ${stage} --at-once`,
        'If the running code is faulty as well, run this command again to go back one more deployment.',
      ];
