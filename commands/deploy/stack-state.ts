import {
  type CloudFormationClient,
  DescribeStacksCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { Problem, toErrorMessage } from '../../lib/problem.ts';

/** Returns CloudFormation's description of the stack; undefined if the stack does not exist. */
export async function findStack(
  client: CloudFormationClient,
  StackName: string,
): Promise<Stack | undefined> {
  try {
    return (await client.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0];
  } catch (error) {
    if (toErrorMessage(error).includes('does not exist')) return undefined;
    throw error;
  }
}

/** States in which a deployment cannot start, with the section of docs/runbook.md for each. */
const stuckStates: Record<string, string> = {
  UPDATE_ROLLBACK_FAILED: 'update-rollback-failed',
  ROLLBACK_FAILED: 'rollback-complete',
  DELETE_FAILED: 'rollback-complete',
};

/** States after an incomplete first deployment. The next deployment creates the stack again. */
const restartableStates = ['REVIEW_IN_PROGRESS', 'CREATE_FAILED', 'ROLLBACK_COMPLETE'];

/**
 * Returns true if a deployment would update the stack, false if it would create the stack. Throws a
 * Problem if no deployment can start now.
 */
export function isUpdate(stackName: string, stack: Stack | undefined): boolean {
  const { StackStatus: status = 'REVIEW_IN_PROGRESS', StackStatusReason: reason } = stack ?? {};
  const suffix = reason ? ` (${reason})` : '';
  const page = stuckStates[status];
  if (page !== undefined) {
    throw new Problem(
      `The stack ${stackName} is in the state ${status}${suffix}, which prevents deployments: docs/runbook.md#${page}`,
    );
  }
  if (restartableStates.includes(status)) return false;
  if (status.endsWith('_IN_PROGRESS')) {
    throw new Problem(
      `Another operation on the stack ${stackName} is in progress (${status}): wait until it completes.`,
    );
  }
  return true;
}
