import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { isObject } from '../../contract/schema/objects.ts';

/** DynamoDB parameters that map attribute names to values. */
const attributeMaps = new Set(['ExclusiveStartKey', 'ExpressionAttributeValues', 'Item', 'Key']);

/** Converts a call's input to DynamoDB's JSON. Omits undefined values. */
export const formatInput = (input: object): string => JSON.stringify(toWire(input));

function toWire(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    return value.map((entry) => toWire(entry, name === 'Keys' ? 'Key' : ''));
  }
  if (!isObject(value)) return value;
  if (attributeMaps.has(name)) return marshall(value, { removeUndefinedValues: true });
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toWire(part, key)]));
}

const Attributes = v.pipe(
  v.custom<Record<string, AttributeValue>>(isObject),
  v.transform((attributes): Record<string, unknown> => unmarshall(attributes)),
);
const Consumed = v.object({ CapacityUnits: v.number() });

const Output = v.object({
  Item: v.optional(Attributes),
  Items: v.optional(v.array(Attributes), []),
  Attributes: v.optional(Attributes),
  LastEvaluatedKey: v.optional(Attributes),
  Responses: v.optional(v.record(v.string(), v.array(Attributes)), {}),
  UnprocessedKeys: v.optional(v.record(v.string(), v.object({ Keys: v.array(Attributes) })), {}),
  ConsumedCapacity: v.optional(v.union([v.array(Consumed), Consumed]), []),
});
export type TableOutput = v.InferOutput<typeof Output>;

export const parseOutput = (text: string): TableOutput => v.parse(Output, JSON.parse(text));

const ErrorOutput = v.object({
  /** The error's name with a prefix such as `com.amazonaws.dynamodb.v20120810#`. */
  __type: v.optional(v.string(), ''),
  message: v.optional(v.string()),
  Message: v.optional(v.string()),
  Item: v.optional(Attributes),
  CancellationReasons: v.optional(
    v.array(v.object({ Code: v.optional(v.string(), 'None'), Item: v.optional(Attributes) })),
    [],
  ),
});

/** An error that DynamoDB returned. `name` is the error's name in the DynamoDB API. */
export class TableError extends Error {
  readonly status: number;
  /** The item that failed the condition, if the call requested it. */
  readonly item: Record<string, unknown> | undefined;
  /** One reason per write of a canceled transaction: `None` for a write that did not fail. */
  readonly reasons: { Code: string; Item?: Record<string, unknown> | undefined }[];

  constructor(status: number, text: string) {
    const { __type, message, Message, Item, CancellationReasons } = parseError(text);
    super(message ?? Message ?? text.slice(0, 500));
    this.name = __type.slice(__type.indexOf('#') + 1) || `Status${status}`;
    this.status = status;
    this.item = Item;
    this.reasons = CancellationReasons;
  }
}

/** Parses an error. If a failing server replied in another format, returns an empty error. */
function parseError(text: string): v.InferOutput<typeof ErrorOutput> {
  try {
    return v.parse(ErrorOutput, JSON.parse(text));
  } catch {
    return v.parse(ErrorOutput, {});
  }
}
