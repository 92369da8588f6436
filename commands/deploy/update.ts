import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { Problem } from '../../lib/problem.ts';
import type { Tools } from '../cli/tools.ts';
import { discardChanges, preparedChanges } from './change-set.ts';
import { lossesIn } from './losses.ts';

export interface Update {
  /** That may read and remove change sets. */
  client: CloudFormationClient;
  tools: Pick<Tools, 'cdk' | 'print'>;
  stackName: string;
  /** Options of the CDK's command. */
  context: readonly string[];
  approval: readonly string[];
  outputs: readonly string[];
  /** Names of what is meant to leave the stack and stay in the account. */
  letGo: readonly string[];
}

const changeSet = 'messaging-deploy';
const unasked = ['--require-approval', 'never'];

/**
 * Has CloudFormation say what a deployment would change, refuses it if something would be lost, and carries out just
 * what was looked at.
 */
export async function update(options: Update): Promise<void> {
  const { client, tools, stackName, context, approval, outputs, letGo } = options;
  const deploy = (...method: string[]) =>
    tools.cdk(['deploy', stackName, ...method, '--change-set-name', changeSet, ...outputs]);
  await deploy(...context, ...approval, '--method', 'prepare-change-set');
  const { isEmpty, changes } = await preparedChanges(client, stackName, changeSet);
  const losses = lossesIn(changes, letGo);
  if (isEmpty || losses.length > 0) await discardChanges(client, stackName, changeSet);
  if (losses.length > 0) {
    throw new Problem(
      [
        'Nothing was deployed, as it would lose what cannot be made again:',
        ...losses.map(({ says }) => `- ${says}`),
        'What to do: docs/runbook.md#a-deployment-that-would-lose-something',
      ].join('\n'),
    );
  }
  if (isEmpty) tools.print(`${stackName} is as it should be: nothing differs.`);
  // As it was made and approved just now.
  else await deploy('--app', 'cdk.out', ...unasked, '--method', 'execute-change-set');
}
