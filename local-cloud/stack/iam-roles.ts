import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { parseCondition } from './iam-conditions.ts';
import type { Stack } from './read-stack.ts';
import { toWildcardRegExp } from './wildcard.ts';

const oneOrMore = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => (typeof value === 'string' ? [value] : value)),
);

const Statement = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: v.optional(v.unknown()),
});
type Statement = v.InferOutput<typeof Statement>;

const PolicyDocument = v.strictObject({
  Version: v.optional(v.string()),
  Statement: v.array(Statement),
});

const RoleProperties = v.strictObject({
  RoleName: v.optional(v.string()),
  Description: v.optional(v.string()),
  AssumeRolePolicyDocument: v.unknown(),
  ManagedPolicyArns: v.optional(v.array(v.string()), []),
  Policies: v.optional(v.array(v.strictObject({ PolicyName: v.string(), PolicyDocument })), []),
  Tags: v.optional(v.unknown()),
});

const PolicyProperties = v.strictObject({
  PolicyName: v.optional(v.string()),
  Description: v.optional(v.string()),
  Path: v.optional(v.string()),
  PolicyDocument,
  Roles: v.optional(v.array(v.string()), []),
});

/** AWS managed policies that the local cloud does not check: for logs, traces and CodeDeploy. */
const uncheckedManagedPolicies =
  /:policy\/(service-role\/AWSLambdaBasicExecutionRole|service-role\/AmazonAPIGatewayPushToCloudWatchLogs|service-role\/AWSCodeDeployRoleForLambdaLimited|AWSXRayDaemonWriteAccess)$/;

export type Decision = 'allow' | 'no policy allows it' | 'explicit deny';

/**
 * Decides whether a role's policies allow a call. For table calls, `leadingKeys` are the partition
 * keys of the request. Within a transaction, `enclosingOperation` is the transaction's operation.
 */
export type Decide = (
  action: string,
  resource: string,
  leadingKeys?: readonly string[],
  enclosingOperation?: string,
) => Decision;

/**
 * Maps role ARNs to permissions. Throws a Problem for an unsupported managed policy or condition.
 */
export function getRoles(stack: Stack): Map<string, Decide> {
  const policies = stack.resources('AWS::IAM::Policy', PolicyProperties);
  return new Map(
    stack.resources('AWS::IAM::Role', RoleProperties).map(({ id, ref, attributes, properties }) => {
      const unsupported = properties.ManagedPolicyArns.filter(
        (arn) => !uncheckedManagedPolicies.test(arn),
      );
      if (unsupported.length > 0) {
        throw new Problem(`${id}: unsupported managed policy ${unsupported.join(', ')}`);
      }
      const documents = [
        ...properties.Policies.map(({ PolicyDocument }) => PolicyDocument),
        ...policies
          .filter(({ properties: { Roles } }) => Roles.includes(ref))
          .map(({ properties: { PolicyDocument } }) => PolicyDocument),
      ];
      return [
        attributes.Arn ?? ref,
        createDecide(
          id,
          documents.flatMap(({ Statement }) => Statement),
        ),
      ];
    }),
  );
}

function createDecide(role: string, statements: readonly Statement[]): Decide {
  const rules = statements.filter(isChecked).map((statement) => {
    const condition = parseCondition(statement.Condition);
    if (!condition) {
      throw new Problem(`${role}: unsupported condition ${JSON.stringify(statement.Condition)}`);
    }
    const action = createMatcher(statement.Action, 'i');
    const resource = createMatcher(statement.Resource);
    return {
      effect: statement.Effect,
      applies: (
        requestedAction: string,
        target: string,
        keys: readonly string[],
        enclosingOperation?: string,
      ) => action(requestedAction) && resource(target) && condition(keys, enclosingOperation),
    };
  });
  return (action, resource, leadingKeys = [], enclosingOperation) => {
    const effects = rules.filter((rule) =>
      rule.applies(action, resource, leadingKeys, enclosingOperation),
    );
    if (effects.some(({ effect }) => effect === 'Deny')) return 'explicit deny';
    return effects.length > 0 ? 'allow' : 'no policy allows it';
  };
}

/**
 * Reports whether the local cloud checks at least one action of the statement. Other statements may
 * have unsupported conditions.
 */
const isChecked = ({ Action }: Statement) =>
  Action.some((action) =>
    /^(appsync:|dynamodb:|events:PutEvents|events:.*[*?]|s3:|sqs:|ssm:|[^:]*[*?])/i.test(action),
  );

function createMatcher(patterns: string[], flags = '') {
  const expressions = patterns.map((pattern) => toWildcardRegExp(pattern, flags));
  return (value: string) => expressions.some((expression) => expression.test(value));
}
