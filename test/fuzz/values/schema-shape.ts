import * as v from 'valibot';

export interface Shape {
  type: string;
  rules: { type: string; requirement?: unknown }[];
  entries: [name: string, schema: unknown][];
  item: unknown;
  key: unknown;
  value: unknown;
  wrapped: unknown;
  options: unknown[];
}

const Node = v.looseObject({
  kind: v.literal('schema'),
  type: v.string(),
  pipe: v.optional(v.array(v.unknown())),
  entries: v.optional(v.looseObject({}), {}),
  options: v.optional(v.array(v.unknown()), []),
});

const Rule = v.object({
  kind: v.literal('validation'),
  type: v.string(),
  requirement: v.optional(v.unknown()),
});

/** Returns the shape of a schema. The last schema in a pipe defines the type of the values. */
export function toShape(schema: unknown): Shape {
  const { pipe = [], type, entries, options, item, key, value, wrapped } = v.parse(Node, schema);
  const inner = pipe.findLast((step) => v.is(Node, step));
  const rules = pipe.filter((step) => v.is(Rule, step));
  if (inner !== undefined) {
    const shape = toShape(inner);
    return { ...shape, rules: [...shape.rules, ...rules] };
  }
  return { type, rules, entries: Object.entries(entries), options, item, key, value, wrapped };
}

export function getBound({ rules }: Shape, type: string): number | undefined {
  const requirement = rules.find((rule) => rule.type === type)?.requirement;
  return typeof requirement === 'number' ? requirement : undefined;
}

export const hasRule = ({ rules }: Shape, type: string): boolean =>
  rules.some((rule) => rule.type === type);

export const getPattern = ({ rules }: Shape): RegExp | undefined =>
  rules.map(({ requirement }) => requirement).find((one) => one instanceof RegExp);

export const isOptional = (schema: unknown): boolean =>
  ['optional', 'nullish'].includes(toShape(schema).type);
