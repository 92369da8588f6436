import {
  type Change,
  type CloudFormationClient,
  DeleteChangeSetCommand,
  DescribeChangeSetCommand,
} from '@aws-sdk/client-cloudformation';

export interface ChangeSet {
  /** Whether CloudFormation found no changes. */
  isEmpty: boolean;
  changes: Change[];
}

const emptyChangeSet = /didn't contain changes|No updates are to be performed/;

/** Reads all pages of a change set. Each change contains the old and new property values. */
export async function readChangeSet(
  client: CloudFormationClient,
  StackName: string,
  ChangeSetName: string,
): Promise<ChangeSet> {
  const changes: Change[] = [];
  let isEmpty = false;
  let NextToken: string | undefined;
  do {
    const page = await client.send(
      new DescribeChangeSetCommand({
        StackName,
        ChangeSetName,
        IncludePropertyValues: true,
        ...(NextToken !== undefined && { NextToken }),
      }),
    );
    isEmpty = page.Status === 'FAILED' && emptyChangeSet.test(page.StatusReason ?? '');
    changes.push(...(page.Changes ?? []));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return { isEmpty, changes };
}

/** Deletes the change set, so that it is not executed by mistake. */
export async function deleteChangeSet(
  client: CloudFormationClient,
  StackName: string,
  ChangeSetName: string,
): Promise<void> {
  await client.send(new DeleteChangeSetCommand({ StackName, ChangeSetName }));
}
