import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { CodeDeployClient } from '@aws-sdk/client-codedeploy';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import { Problem } from '../../../lib/problem.ts';
import { toStackName } from '../../../lib/stage-names.ts';
import type { CommandTools } from '../../cli/command-tools.ts';
import { confirm, noTerminalText } from '../../cli/confirm.ts';
import { formatUtc } from '../../recovery/point-in-time.ts';
import { type DeployedFunctions, readDeployedFunctions } from './deployed-functions.ts';
import { findGradualDeployments, stopDeployments } from './gradual-deployments.ts';
import { type FunctionMove, moveFunctions } from './move-functions.ts';
import {
  findServingUpdate,
  type PlannedMove,
  planDeployed,
  planStateBefore,
  planVersion,
} from './rollback-plan.ts';
import type { RollbackTarget } from './rollback-target.ts';
import { readServingFunction, type ServingFunction } from './serving-versions.ts';
import { readStackUpdates } from './stack-updates.ts';

export interface RollbackTools extends Pick<CommandTools, 'prompt' | 'print'> {
  cloudformation: CloudFormationClient;
  lambda: LambdaClient;
  codedeploy: CodeDeployClient;
  sleep(milliseconds: number): Promise<void>;
}

export interface RollbackOptions {
  stage: string;
  target: RollbackTarget;
  yes: boolean;
}

/**
 * Moves the functions of a stage to the target versions, immediately and regardless of alarms.
 * Throws a Problem if a function could not be moved; another run retries the move. After a
 * successful rollback, another run with the target `previous` goes back one more deployment.
 */
export async function rollback(
  tools: RollbackTools,
  { stage, target, yes }: RollbackOptions,
): Promise<void> {
  const { cloudformation, lambda, codedeploy, print } = tools;
  if (!yes && !tools.prompt) throw new Problem(noTerminalText);
  const stack = await readDeployedFunctions(cloudformation, toStackName(stage));
  const functions: ServingFunction[] = [];
  for (const deployed of stack.functions) {
    const found = await readServingFunction(lambda, deployed);
    if (found) functions.push(found);
    else
      print(
        `  ${deployed.id} stays unchanged, because its alias ${deployed.alias} does not exist.`,
      );
  }
  if (functions.length === 0)
    throw new Problem(`The stack ${toStackName(stage)} has no functions to roll back.`);
  const { steps, remarks } = await createPlan(tools, stage, functions, target);
  for (const line of [...steps.map(formatMove), '', ...remarks]) print(line);
  const moves = steps.flatMap(({ deployed, to }): FunctionMove[] =>
    to ? [{ deployed, from: deployed.serving, to: to.number }] : [],
  );
  const running = await findGradualDeployments(codedeploy, stack);
  if (moves.length === 0 && running.length === 0) {
    print('Nothing to do.');
    return;
  }
  if (running.length > 0) print(`CodeDeploy deployments to stop: ${running.length}.`);
  if (!yes) await confirm(tools, stage, 'This changes the running code for all users immediately.');
  await applyMoves(tools, stack, running, moves);
  for (const line of formatNextSteps(stage, target)) print(line);
}

async function applyMoves(
  { lambda, codedeploy, sleep, print }: RollbackTools,
  { application }: DeployedFunctions,
  running: readonly string[],
  moves: readonly FunctionMove[],
) {
  if (application !== undefined) await stopDeployments({ codedeploy, sleep, print }, running);
  const failed = await moveFunctions(lambda, moves, print);
  if (failed > 0) {
    throw new Problem(
      `${failed} of ${moves.length} functions could not be moved: run this command again.`,
    );
  }
}

async function createPlan(
  { cloudformation }: RollbackTools,
  stage: string,
  functions: ServingFunction[],
  target: RollbackTarget,
): Promise<{ steps: PlannedMove[]; remarks: string[] }> {
  if (target.to === 'deployed') return { steps: planDeployed(functions), remarks: [] };
  if (target.to === 'version') return { steps: [planOneFunction(functions, target)], remarks: [] };
  if (target.to === 'time') {
    return { steps: planStateBefore(functions, target.time), remarks: [] };
  }
  const update = await findServingUpdate(
    functions,
    readStackUpdates(cloudformation, toStackName(stage)),
  );
  if (!update || update.isFirst) {
    throw new Problem(
      'CloudFormation has no record of the version before the running one. Specify a time with --to TIME.',
    );
  }
  return {
    steps: planStateBefore(functions, update.start),
    remarks: [
      `Target: the state before the deployment of ${formatUtc(update.start)}.`,
      ...describeOtherChanges(update),
    ],
  };
}

/** Lists a deployment's changes that rolling back its functions does not revert. */
function describeOtherChanges({ changed }: { changed: { type: string; id: string }[] }): string[] {
  if (changed.length === 0) return [];
  return [
    'That deployment also made these changes, which are not reverted (docs/runbook.md#going-back):',
    ...changed.map(({ type, id }) => `  ${type} ${id}`),
  ];
}

function planOneFunction(
  functions: ServingFunction[],
  { functionId, version }: { functionId: string; version: number },
): PlannedMove {
  const deployed = functions.find(({ id }) => id === functionId);
  if (!deployed) {
    throw new Problem(
      `There is no function ${functionId}. Functions: ${functions.map(({ id }) => id).join(', ')}.`,
    );
  }
  const to = deployed.versions.find(({ number }) => number === version);
  if (to) return planVersion(deployed, to);
  const available = deployed.versions.map(
    (known) => `${known.number} (${formatUtc(known.published)})`,
  );
  throw new Problem(`${functionId} has no version ${version}. Versions: ${available.join(', ')}.`);
}

const formatMove = ({ deployed, to, reason }: PlannedMove): string => {
  const from = deployed.serving.join(' and ');
  return to
    ? `  ${deployed.id}: ${from} → ${to.number}, published ${formatUtc(to.published)}`
    : `  ${deployed.id}: ${from} stays, because it ${reason}`;
};

const formatNextSteps = (stage: string, { to }: RollbackTarget): string[] =>
  to === 'deployed'
    ? ['', 'Every function runs its deployed version.']
    : [
        '',
        'The gateway caches the authorizer’s responses: decisions of the replaced code stay valid for up to five minutes.',
        'CloudFormation does not track this change. The next deployment replaces it, and must not be gradual:',
        `  npm run deploy -- --stage ${stage} --at-once`,
        `To move all functions to the code before the running deployment: npm run rollback -- --stage ${stage}`,
      ];
