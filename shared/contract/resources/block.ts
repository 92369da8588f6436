import * as v from 'valibot';
import { ExternalId, Timestamp } from '../schema/field-types.ts';
import { listSchema } from '../schema/list-schema.ts';

/** A contact whom the caller has blocked. */
export const Block = v.strictObject({
  contact_id: v.pipe(ExternalId, v.description('The blocked contact.')),
  created_at: Timestamp,
});
export type Block = v.InferOutput<typeof Block>;

export const BlockPage = listSchema(Block);
