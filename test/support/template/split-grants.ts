import type { Statement } from './policy-simulator.ts';

/**
 * The smallest part of a table grant: one action on the table or an index, for one kind of
 * partition.
 */
export interface GrantPart {
  action: string;
  resource: string;
  partition: string;
}

const keysOf = ({ Condition }: Statement) =>
  Condition?.['ForAllValues:StringLike']['dynamodb:LeadingKeys'] ?? [];

export const splitGrants = (statements: readonly Statement[]): GrantPart[] =>
  splitStatements(statements).flatMap((statement) =>
    keysOf(statement).map((partition) => ({ ...callOf(statement), partition })),
  );

export const withoutGrant = (statements: readonly Statement[], part: GrantPart): Statement[] =>
  splitStatements(statements).map((statement) => {
    const { action, resource } = callOf(statement);
    if (!statement.Condition || action !== part.action || resource !== part.resource) {
      return statement;
    }
    const others = keysOf(statement).filter((key) => key !== part.partition);
    const like = { 'dynamodb:LeadingKeys': others };
    return { ...statement, Condition: { ...statement.Condition, 'ForAllValues:StringLike': like } };
  });

/** Splits statements so that each has one action and one resource. */
const splitStatements = (statements: readonly Statement[]): Statement[] =>
  statements.flatMap((statement) =>
    statement.Action.flatMap((action) =>
      statement.Resource.map((resource) => ({
        ...statement,
        Action: [action],
        Resource: [resource],
      })),
    ),
  );

const callOf = ({ Action: [action = ''], Resource: [resource = ''] }: Statement) => ({
  action,
  resource,
});
