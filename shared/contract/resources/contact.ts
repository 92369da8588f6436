import * as v from 'valibot';
import { ExternalId, Timestamp } from '../schema/field-types.ts';

/**
 * A contact, with the profile from the token of their last write. Before the contact's first write,
 * all fields except the id are null.
 */
export const Contact = v.strictObject({
  id: ExternalId,
  username: v.nullable(v.string()),
  phone_number: v.nullable(v.string()),
  avatar_url: v.nullable(v.string()),
  last_active_at: v.nullable(Timestamp),
  created_at: v.nullable(Timestamp),
});
export type Contact = v.InferOutput<typeof Contact>;
