import type { Change, ResourceChange, ResourceChangeDetail } from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';

/** Resources that cannot be recreated, and what would be lost with each. */
const irreplaceable: Record<string, string> = {
  'AWS::DynamoDB::GlobalTable': 'all conversations and messages',
  'AWS::DynamoDB::Table': 'all conversations and messages',
  'AWS::KMS::Key': 'everything that is encrypted with it',
  'AWS::Cognito::UserPool': 'all user accounts: new accounts would have other contact ids',
  'AWS::Cognito::UserPoolClient': 'the client id in every installed app',
  'AWS::ApiGateway::RestApi': 'the URL of the API',
};

/**
 * A user pool may leave the stack and stay in the account. The table may not, even if requested.
 */
const releasableTypes = ['AWS::Cognito::UserPool', 'AWS::Cognito::UserPoolClient'];

/** A change that would or might lose data. */
export interface DataLoss {
  type: string;
  /** The logical id in the template. */
  id: string;
  /** The effect and the resource, as a sentence. */
  text: string;
}

/**
 * Returns the changes of a deployment that would or might replace or remove an irreplaceable
 * resource. `releasedIds` contains the logical ids of resources that may leave the stack and stay
 * in the account.
 */
export function findDataLosses(
  changes: readonly Change[],
  releasedIds: readonly string[],
): DataLoss[] {
  return changes.flatMap(({ ResourceChange: change }) => {
    const { ResourceType: type = '', LogicalResourceId: id = '' } = change ?? {};
    const lostData = irreplaceable[type];
    if (!change || lostData === undefined) return [];
    const effect = describeEffect(change);
    if (effect === undefined) return [];
    const isReleased =
      effect === leavesStack && releasableTypes.includes(type) && releasedIds.includes(id);
    return isReleased ? [] : [{ type, id, text: `${type} ${id} ${effect}: ${lostData}` }];
  });
}

const leavesStack = 'would leave the stack and stop serving';

function describeEffect(change: ResourceChange): string | undefined {
  if (change.Action === 'Remove') {
    return change.PolicyAction === 'Retain' ? leavesStack : 'would be deleted';
  }
  if (change.Action === 'Dynamic') return 'might be replaced or deleted';
  if (change.Action !== 'Modify') return undefined;
  const recreatingChanges = (change.Details ?? []).filter(
    ({ Target }) => Target?.RequiresRecreation && Target.RequiresRecreation !== 'Never',
  );
  const names = [...new Set(recreatingChanges.map(({ Target }) => Target?.Name))].join(', ');
  const reason = names ? ` (by its ${names})` : '';
  if (change.Replacement === 'True') return `would be replaced by an empty one${reason}`;
  if (change.Replacement !== 'Conditional') return undefined;
  return recreatingChanges.length > 0 && recreatingChanges.every(addsAttributesOnly)
    ? undefined
    : `might be replaced by an empty one${reason}`;
}

const Attributes = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ AttributeName: v.string(), AttributeType: v.string() })),
);

/**
 * Reports whether a change only adds attribute definitions, which a new index requires.
 * CloudFormation replaces a table only if an existing definition changes.
 */
function addsAttributesOnly({ Target }: ResourceChangeDetail): boolean {
  if (Target?.Name !== 'AttributeDefinitions') return false;
  const before = v.safeParse(Attributes, Target.BeforeValue);
  const after = v.safeParse(Attributes, Target.AfterValue);
  if (!before.success || !after.success) return false;
  return before.output.every(({ AttributeName, AttributeType }) =>
    after.output.some(
      (definition) =>
        definition.AttributeName === AttributeName && definition.AttributeType === AttributeType,
    ),
  );
}
