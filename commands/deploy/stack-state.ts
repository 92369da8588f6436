import {
  type CloudFormationClient,
  DescribeStacksCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { messageOf, Problem } from '../../lib/problem.ts';

/** The stack as CloudFormation has it; undefined when there is none. */
export async function findStack(
  client: CloudFormationClient,
  StackName: string,
): Promise<Stack | undefined> {
  try {
    return (await client.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0];
  } catch (error) {
    if (messageOf(error).includes('does not exist')) return undefined;
    throw error;
  }
}

/** States in which a deployment cannot begin, with the entry of the runbook that cures them. */
const stuck: Record<string, string> = {
  UPDATE_ROLLBACK_FAILED: 'update-rollback-failed',
  ROLLBACK_FAILED: 'rollback-complete',
  DELETE_FAILED: 'rollback-complete',
};

/** No update is made of them: the first deployment made nothing, or nothing that stayed. */
const asIfNone = ['REVIEW_IN_PROGRESS', 'CREATE_FAILED', 'ROLLBACK_COMPLETE'];

/**
 * Whether a deployment changes what is there, rather than being the first. Throws a Problem when none can begin now.
 */
export function isUpdate(stackName: string, stack: Stack | undefined): boolean {
  const { StackStatus: status = 'REVIEW_IN_PROGRESS', StackStatusReason: reason } = stack ?? {};
  const because = reason ? ` (${reason})` : '';
  const page = stuck[status];
  if (page !== undefined) {
    throw new Problem(
      `The stack ${stackName} is in the state ${status}${because}, in which nothing can be deployed: docs/runbook.md#${page}`,
    );
  }
  if (asIfNone.includes(status)) return false;
  if (status.endsWith('_IN_PROGRESS')) {
    throw new Problem(
      `The stack ${stackName} is being changed by somebody else (${status}): wait until that is over.`,
    );
  }
  return true;
}
