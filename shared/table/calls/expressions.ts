import { tableKey } from '../keys/names.ts';

/** Conditions: there is an item of that key, or none. */
export const exists = `attribute_exists(${tableKey.partition})`;
export const isAbsent = `attribute_not_exists(${tableKey.partition})`;

type Values = Record<string, unknown>;

/** What must hold of an item. */
export interface Condition {
  ConditionExpression: string;
  ExpressionAttributeValues?: Values;
}

/**
 * Holds while the named attributes are what they were when the item was read, absent ones still
 * absent.
 */
export function asRead<Read extends object>(
  item: Read,
  names: readonly (keyof Read & string)[],
): Condition {
  const present = names.filter((name) => item[name] !== undefined);
  const condition = (name: keyof Read & string) =>
    item[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :read_${name}`;
  return {
    ConditionExpression: names.map(condition).join(' AND '),
    // DynamoDB refuses to be given no values.
    ...(present.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(
        present.map((name) => [`:read_${name}`, item[name]]),
      ),
    }),
  };
}

/** The same update, which also adds one to an attribute. */
export const counting = <
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
 * Sets attributes, and removes those that are undefined, if the condition holds; one of them or it
 * has a value.
 */
export function assigning(attributes: Values, condition: Condition) {
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
