import * as v from 'valibot';
import { OutsideId, Timestamp } from './values.ts';

/**
 * Who somebody is, as their last token said; all but the id null for somebody who has never written
 * here.
 */
export const Contact = v.strictObject({
  id: OutsideId,
  username: v.nullable(v.string()),
  phone_number: v.nullable(v.string()),
  avatar_url: v.nullable(v.string()),
  last_active_at: v.nullable(Timestamp),
  created_at: v.nullable(Timestamp),
});
export type Contact = v.InferOutput<typeof Contact>;
