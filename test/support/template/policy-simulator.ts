import { runSimulation } from '@cloud-copilot/iam-simulate';
import * as v from 'valibot';
import { accountId } from '../../../local-cloud/account.ts';
import type { Stack } from '../../../local-cloud/stack/read-stack.ts';
import type { RequiredPermission } from '../../../local-cloud/table/required-permissions.ts';

const oneOrMore = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => [value].flat()),
);

const Statement = v.strictObject({
  Effect: v.literal('Allow'),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: v.optional(
    v.strictObject({
      'ForAllValues:StringLike': v.strictObject({ 'dynamodb:LeadingKeys': oneOrMore }),
      Null: v.strictObject({ 'dynamodb:LeadingKeys': v.literal('false') }),
    }),
  ),
});
export type Statement = v.InferOutput<typeof Statement>;

const Role = v.looseObject({
  Policies: v.optional(
    v.array(v.looseObject({ PolicyDocument: v.looseObject({ Statement: v.array(Statement) }) })),
    [],
  ),
});

/**
 * Returns the policy statements of the functions' roles, keyed by the role's ARN. Throws if a
 * statement has an unsupported form.
 */
export const getStatementsByRole = (stack: Stack): Map<string, Statement[]> =>
  new Map(
    stack
      .resources('AWS::IAM::Role', v.looseObject({ AssumeRolePolicyDocument: v.unknown() }))
      .filter(({ properties }) =>
        JSON.stringify(properties.AssumeRolePolicyDocument).includes('lambda.amazonaws.com'),
      )
      .map((role) => ({ ...role, properties: v.parse(Role, role.properties) }))
      .map(({ attributes, properties }) => [
        String(attributes.Arn),
        properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
      ]),
  );

/** Reports whether the statements allow a call, according to a third-party IAM simulator. */
export async function isAllowed(
  role: string,
  statements: readonly Statement[],
  { action, resource, leadingKeys }: RequiredPermission,
): Promise<boolean> {
  const simulated = await runSimulation(
    {
      request: {
        principal: role,
        action,
        resource: { resource, accountId },
        contextVariables: leadingKeys.length > 0 ? { 'dynamodb:LeadingKeys': leadingKeys } : {},
      },
      identityPolicies: [{ name: 'own', policy: { Version: '2012-10-17', Statement: statements } }],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  if (simulated.resultType === 'error') throw new Error(simulated.errors.message);
  return simulated.overallResult === 'Allowed';
}
