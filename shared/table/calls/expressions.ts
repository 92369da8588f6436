import { tableKey } from '../keys/names.ts';

export const existsCondition = `attribute_exists(${tableKey.partition})`;
export const absentCondition = `attribute_not_exists(${tableKey.partition})`;

type Values = Record<string, unknown>;

/** Returns placeholders for attribute names that may be reserved words of DynamoDB. */
export const toPlaceholders = (names: readonly string[]) => ({
  list: names.map((_, n) => `#${n}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(names.map((name, n) => [`#${n}`, name])),
});

export function toProjection(names: readonly string[] | undefined) {
  if (!names) return undefined;
  const { list, ExpressionAttributeNames } = toPlaceholders(names);
  return { ProjectionExpression: list, ExpressionAttributeNames };
}

export interface Condition {
  ConditionExpression: string;
  ExpressionAttributeValues?: Values;
}

/** Returns the condition that the attributes still equal those of `item` or are still absent. */
export function toUnchangedCondition<Read extends object>(
  item: Read,
  names: readonly (keyof Read & string)[],
): Condition {
  const present = names.filter((name) => item[name] !== undefined);
  const condition = (name: keyof Read & string) =>
    item[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :read_${name}`;
  return {
    ConditionExpression: names.map(condition).join(' AND '),
    // DynamoDB rejects an empty map of values.
    ...(present.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(
        present.map((name) => [`:read_${name}`, item[name]]),
      ),
    }),
  };
}

export const withIncrement = <
  Update extends { UpdateExpression: string; ExpressionAttributeValues?: Values },
>(
  name: string,
  update: Update,
) => ({
  ...update,
  UpdateExpression: `${update.UpdateExpression} ADD ${name} :one`,
  ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':one': 1 },
});

/**
 * Returns an update that sets the defined attributes and removes the undefined ones. At least one
 * attribute or condition value must be defined.
 */
export function toAssignment(attributes: Values, condition: Condition) {
  const names = Object.keys(attributes);
  const set = names.filter((name) => attributes[name] !== undefined);
  const removed = names.filter((name) => attributes[name] === undefined);
  const values: Values = {
    ...condition.ExpressionAttributeValues,
    ...Object.fromEntries(set.map((name) => [`:${name}`, attributes[name]])),
  };
  return {
    UpdateExpression: [
      ...(set.length > 0 ? [`SET ${set.map((name) => `${name} = :${name}`).join(', ')}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: condition.ConditionExpression,
    ExpressionAttributeValues: values,
  };
}
