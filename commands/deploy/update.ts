import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { Problem } from '../../lib/problem.ts';
import type { Tools } from '../cli/tools.ts';
import { discardChanges, preparedChanges } from './change-set.ts';
import { lossesIn } from './losses.ts';

export interface Update {
  /** A client that may read and delete change sets. */
  client: CloudFormationClient;
  tools: Pick<Tools, 'cdk' | 'print'>;
  stackName: string;
  /** Options of the `cdk deploy` command. */
  context: readonly string[];
  approval: readonly string[];
  outputs: readonly string[];
  /** Logical ids of the resources that may leave the stack and stay in the account. */
  letGo: readonly string[];
}

const changeSet = 'messaging-deploy';
const unasked = ['--require-approval', 'never'];

/**
 * Creates a change set, throws a Problem if it would lose data, and otherwise executes exactly that
 * change set.
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
        'Nothing was deployed, because the deployment would lose data that cannot be recreated:',
        ...losses.map(({ says }) => `- ${says}`),
        'See docs/runbook.md#a-deployment-that-would-lose-something',
      ].join('\n'),
    );
  }
  if (isEmpty) tools.print(`${stackName} is up to date.`);
  // The change set created and approved above.
  else await deploy('--app', 'cdk.out', ...unasked, '--method', 'execute-change-set');
}
