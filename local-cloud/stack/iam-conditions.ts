import * as v from 'valibot';
import { toWildcardRegExp } from './wildcard.ts';

const Keys = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => [value].flat()),
  v.check((keys) => !keys.some((key) => key.includes('${')), 'policy variables are not supported'),
);

const leadingKeys = 'dynamodb:LeadingKeys';
const enclosingOperation = 'dynamodb:EnclosingOperation';

const Condition = v.strictObject({
  'ForAllValues:StringLike': v.optional(v.strictObject({ [leadingKeys]: Keys })),
  'ForAnyValue:StringEquals': v.optional(v.strictObject({ [enclosingOperation]: Keys })),
  Null: v.optional(v.strictObject({ [leadingKeys]: v.picklist(['true', 'false']) })),
});

/**
 * Reports whether a request with the given partition keys meets a condition. In a transaction,
 * `operation` is the enclosing operation.
 */
export type ConditionCheck = (keys: readonly string[], operation?: string) => boolean;

/** Returns the check of a condition; `undefined` if the condition is not supported. */
export function parseCondition(condition: unknown): ConditionCheck | undefined {
  const read = v.safeParse(Condition, condition ?? {});
  if (!read.success) return undefined;
  const { 'ForAllValues:StringLike': like, Null } = read.output;
  const enclosing = read.output['ForAnyValue:StringEquals']?.[enclosingOperation];
  const patterns = like?.[leadingKeys].map((pattern) => toWildcardRegExp(pattern));
  return (keys, operation) =>
    (!enclosing || (operation !== undefined && enclosing.includes(operation))) &&
    (!patterns || keys.every((key) => patterns.some((pattern) => pattern.test(key)))) &&
    (!Null || (Null[leadingKeys] === 'true') === (keys.length === 0));
}
