import * as v from 'valibot';
import { ExternalId, Id, Timestamp, text } from '../schema/field-types.ts';

export const reportReasons = [
  'spam',
  'harassment',
  'hate',
  'sexual',
  'violence',
  'self_harm',
  'scam',
  'other',
] as const;
export const ReportReason = v.pipe(
  v.picklist(reportReasons, `must be one of ${reportReasons.join(', ')}`),
  v.description('Reason for the report.'),
);

const maxNoteCharacters = 1000;

const subjectNames = ['message_id', 'contact_id', 'public_id'] as const;
const onlyOne = 'must not be combined with';

export const CreateReport = v.pipe(
  v.object({
    message_id: v.nullish(v.pipe(Id, v.description('The reported message.'))),
    contact_id: v.nullish(
      v.pipe(
        ExternalId,
        v.description(
          'The reported contact, who must share a conversation or a user-created group with the caller.',
        ),
      ),
    ),
    public_id: v.nullish(v.pipe(ExternalId, v.description('The reported business.'))),
    reason: ReportReason,
    note: v.nullish(
      v.pipe(text(0, maxNoteCharacters), v.description('Further information for the operators.')),
    ),
  }),
  v.forward(
    v.partialCheck(
      [['message_id'], ['contact_id'], ['public_id']],
      (input) => subjectNames.some((name) => typeof input[name] === 'string'),
      "or 'contact_id' or 'public_id' is required",
    ),
    ['message_id'],
  ),
  v.forward(
    v.partialCheck(
      [['message_id'], ['contact_id']],
      ({ message_id, contact_id }) => !message_id || !contact_id,
      `${onlyOne} message_id`,
    ),
    ['contact_id'],
  ),
  v.forward(
    v.partialCheck(
      [['message_id'], ['contact_id'], ['public_id']],
      ({ message_id, contact_id, public_id }) => !public_id || (!message_id && !contact_id),
      `${onlyOne} message_id or contact_id`,
    ),
    ['public_id'],
  ),
  v.metadata({
    anyRequired: [...subjectNames],
    conflicts: { contact_id: ['message_id'], public_id: ['message_id', 'contact_id'] },
  }),
);
export type CreateReport = v.InferOutput<typeof CreateReport>;

/** A report as its reporter sees it. */
export const Report = v.strictObject({
  message_id: v.nullable(v.string()),
  contact_id: v.nullable(ExternalId),
  public_id: v.nullable(ExternalId),
  reason: ReportReason,
  note: v.nullable(v.string()),
  created_at: Timestamp,
});
export type Report = v.InferOutput<typeof Report>;
