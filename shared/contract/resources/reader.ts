import * as v from 'valibot';
import { ExternalId, Timestamp } from '../schema/field-types.ts';
import { listSchema } from '../schema/list-schema.ts';

/** A participant who has opened the conversation. */
export const Reader = v.strictObject({
  contact_id: ExternalId,
  last_read_message_id: v.nullable(
    v.pipe(
      v.string(),
      v.description('Id of the newest existing message up to which the contact has read, or null.'),
    ),
  ),
  last_opened_at: v.pipe(
    Timestamp,
    v.description('Unix time at which the contact last opened the conversation.'),
  ),
});
export type Reader = v.InferOutput<typeof Reader>;

export const ReaderPage = listSchema(Reader);
