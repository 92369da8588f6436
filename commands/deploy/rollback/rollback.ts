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
  /** Ask nothing. */
  yes: boolean;
}

/**
 * Has every function of a stage serve other code that was deployed before: at once, whatever its alarms say. Shows what it
 * will do, asks, stops what lets new code in, and tells of each function. May be run again at any time.
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
    else print(`  ${one.id} is not as the stack says: it has no alias ${one.alias}, and stays.`);
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
    print('There is nothing to do.');
    return;
  }
  if (running.length > 0) print(`CodeDeploy is letting in new code: ${running.length} to stop.`);
  if (!yes) await confirm(tools, stage, 'This changes what serves, for everybody and at once.');
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
    throw new Problem(`${failed} of ${moves.length} functions could not be moved: run this again.`);
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
      'CloudFormation remembers no deployment before the code that serves. Say to when, with --to TIME.',
    );
  }
  return {
    steps: planBefore(functions, update.start),
    remarks: [
      `This is as it was before the deployment of ${inUtc(update.start)}.`,
      ...left(update),
    ],
  };
}

/** What a deployment changed that the functions' versions do not bring back. */
function left({ changed }: { changed: { type: string; id: string }[] }): string[] {
  if (changed.length === 0) return [];
  return [
    'It changed these, too, which stay as they are (docs/runbook.md#going-back):',
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
      `There is no function ${functionId}: there are ${functions.map(({ id }) => id).join(', ')}.`,
    );
  }
  const to = one.versions.find(({ number }) => number === version);
  if (to) return planVersion(one, to);
  const kept = one.versions.map((known) => `${known.number} (${inUtc(known.published)})`);
  throw new Problem(`${functionId} has no version ${version}: it has ${kept.join(', ')}.`);
}

const stepText = ({ one, to, why }: Step): string => {
  const from = one.serving.join(' and ');
  return to
    ? `  ${one.id}: ${from} → ${to.number}, published ${inUtc(to.published)}`
    : `  ${one.id}: ${from} stays, as it ${why}`;
};

const afterwards = (stage: string, { to }: Destination): string[] =>
  to === 'deployed'
    ? ['', 'Every function serves what the stack says.']
    : [
        '',
        'Tokens that were let in or refused stay so for five minutes: the gateway keeps the authorizer’s answers.',
        'The stack does not know of this. The next deployment has to be one at once, and ends it:',
        `  npm run deploy -- --stage ${stage} --at-once`,
        'If what serves now is bad as well, run this again: it goes back by one more deployment.',
      ];
