import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { Problem } from '../../lib/problem.ts';
import type { CommandTools } from '../cli/command-tools.ts';
import { deleteChangeSet, readChangeSet } from './change-set.ts';
import { findDataLosses } from './data-losses.ts';

export interface StackUpdateOptions {
  /** A client with permission to read and delete change sets. */
  client: CloudFormationClient;
  tools: Pick<CommandTools, 'cdk' | 'print'>;
  stackName: string;
  /** Options of the `cdk deploy` command. */
  context: readonly string[];
  approval: readonly string[];
  outputs: readonly string[];
  releasedIds: readonly string[];
}

const changeSetName = 'messaging-deploy';
const withoutApproval = ['--require-approval', 'never'];

/**
 * Creates a change set and executes it. If the change set is empty, deletes it. If the changes
 * would or might lose data, deletes the change set and throws a Problem.
 */
export async function updateStack(options: StackUpdateOptions): Promise<void> {
  const { client, tools, stackName, context, approval, outputs, releasedIds } = options;
  const deploy = (...method: string[]) =>
    tools.cdk(['deploy', stackName, ...method, '--change-set-name', changeSetName, ...outputs]);
  await deploy(...context, ...approval, '--method', 'prepare-change-set');
  const { isEmpty, changes } = await readChangeSet(client, stackName, changeSetName);
  const losses = findDataLosses(changes, releasedIds);
  if (isEmpty || losses.length > 0) await deleteChangeSet(client, stackName, changeSetName);
  if (losses.length > 0) {
    throw new Problem(
      [
        'Nothing was deployed, because these changes would or might lose data that cannot be recreated:',
        ...losses.map(({ text }) => `- ${text}`),
        'See docs/runbook.md#a-deployment-that-would-lose-something',
      ].join('\n'),
    );
  }
  if (isEmpty) tools.print(`${stackName} is up to date.`);
  // The first `cdk deploy` has already prompted for approval.
  else await deploy('--app', 'cdk.out', ...withoutApproval, '--method', 'execute-change-set');
}
