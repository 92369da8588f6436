import * as v from 'valibot';
import { Timestamp } from '../schema/field-types.ts';
import { createWordList } from '../schema/word-list.ts';

export const Opening = v.strictObject({
  open_now: v.boolean(),
  closes_at: v.pipe(
    v.nullable(Timestamp),
    v.description(
      'When the business closes; null if it is closed or stays open for more than eight days.',
    ),
  ),
  opens_at: v.pipe(
    v.nullable(Timestamp),
    v.description(
      'When the business next opens; null if it is open or stays closed for more than eight days.',
    ),
  ),
});
export type Opening = v.InferOutput<typeof Opening>;

/** The field `opening` of a listing, in both field sets. */
export const opening = v.optional(
  v.pipe(
    v.nullable(Opening),
    v.description(
      'Only with `expand[]=opening`: whether the business is open now, according to `work_time` and `timezone`. Null if it has no hours or no known time zone.',
    ),
  ),
);

const words = createWordList(['opening']);

export type BusinessExpansion = v.InferOutput<typeof words.Word>;
export const BusinessExpansion = words.Word;

export const expandBusiness = words.list('Fields to add to each listing; repeatable.');
