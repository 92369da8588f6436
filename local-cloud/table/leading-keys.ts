import * as v from 'valibot';

/** An attribute value in DynamoDB JSON, such as `{"S": "ann"}`. */
const Attribute = v.record(v.string(), v.unknown());
const Item = v.record(v.string(), Attribute);

const Request = v.object({
  Key: v.optional(Item),
  Item: v.optional(Item),
  Keys: v.optional(v.array(Item)),
  KeyConditionExpression: v.optional(v.string()),
  ExpressionAttributeNames: v.optional(v.record(v.string(), v.string()), {}),
  ExpressionAttributeValues: v.optional(Item, {}),
});

const BatchWrites = v.array(
  v.object({
    DeleteRequest: v.optional(v.object({ Key: Item })),
    PutRequest: v.optional(v.object({ Item })),
  }),
);

/**
 * Returns the distinct partition keys of a request: the values of IAM's condition key
 * `dynamodb:LeadingKeys`. `request` is the body of a call, or the part of the body that concerns
 * one table. `attribute` is the name of the partition key.
 */
export function getLeadingKeys(request: unknown, attribute: string): string[] {
  const writes = v.safeParse(BatchWrites, request);
  if (writes.success) {
    return collectKeys(
      writes.output.flatMap(({ DeleteRequest, PutRequest }) => [
        DeleteRequest?.Key,
        PutRequest?.Item,
      ]),
      attribute,
    );
  }
  const read = v.safeParse(Request, request);
  if (!read.success) return [];
  const { Key, Item, Keys = [], KeyConditionExpression = '', ...expression } = read.output;
  const conditionItems = findEqualities(KeyConditionExpression).flatMap(([name, value]) =>
    (expression.ExpressionAttributeNames[name] ?? name) === attribute
      ? [{ [attribute]: expression.ExpressionAttributeValues[value] ?? {} }]
      : [],
  );
  return collectKeys([Key, Item, ...Keys, ...conditionItems], attribute);
}

const collectKeys = (
  items: readonly (v.InferOutput<typeof Item> | undefined)[],
  attribute: string,
) => [...new Set(items.flatMap((item) => Object.values(item?.[attribute] ?? {}).map(String)))];

/**
 * Returns the operands of each equality condition in an expression: #pk and :pk for `#pk = :pk AND
 * sk > :from`. Ignores `<=` and BETWEEN.
 */
const findEqualities = (expression: string) =>
  [...expression.matchAll(/([#\w.-]+)\s*=\s*(:\w+)/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
