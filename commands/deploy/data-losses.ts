import type { Change, ResourceChange, ResourceChangeDetail } from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';

/** Types of resources that cannot be recreated, with the data that their loss would affect. */
const irreplaceable: Record<string, string> = {
  'AWS::DynamoDB::GlobalTable': 'all conversations and messages',
  'AWS::DynamoDB::Table': 'all conversations and messages',
  'AWS::KMS::Key': 'all data encrypted with this key',
  'AWS::Cognito::UserPool': 'all user accounts: new accounts would have different contact ids',
  'AWS::Cognito::UserPoolClient': 'sign-in in installed apps, whose client id would become invalid',
  'AWS::ApiGateway::RestApi': 'the URL of the API',
};

/**
 * Types of resources that a deployment may remove from the stack but retain in the account, if the
 * operator releases them. The operator need not release a KMS key, because it still decrypts
 * outside the stack. Other irreplaceable resources must stay in the stack.
 */
const releasableTypes = ['AWS::Cognito::UserPool', 'AWS::Cognito::UserPoolClient'];

export interface DataLoss {
  type: string;
  /** Logical id of the resource in the template. */
  id: string;
  /** Text that names the resource, the effect and the lost data. */
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
    const mayLeave =
      type === 'AWS::KMS::Key' || (releasableTypes.includes(type) && releasedIds.includes(id));
    return effect === leavesStack && mayLeave
      ? []
      : [{ type, id, text: `${type} ${id} ${effect}: ${lostData}` }];
  });
}

const leavesStack = 'would be retained but no longer used';

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
  const reason = names ? ` (changed: ${names})` : '';
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
 * CloudFormation does not replace a table when attribute definitions are added.
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
