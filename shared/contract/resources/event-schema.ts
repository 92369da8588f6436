import * as v from 'valibot';
import { Timestamp } from '../schema/field-types.ts';

const PositiveInteger = v.pipe(v.number(), v.integer(), v.minValue(1));

const eventFields = {
  id: v.pipe(
    v.string(),
    v.description('Id of the change. The feed and the push contain the same id.'),
  ),
  created_at: Timestamp,
  version: v.pipe(
    PositiveInteger,
    v.description(
      'Version of `payload`, increased by each change. Apply an event only if its version is higher than the one you have. Always apply a deletion, unless it removes a group member.',
    ),
  ),
  feed: v.pipe(
    v.string(),
    v.description(
      "Feed that contains the event: the reader's own, or that of one of their groups.",
    ),
  ),
  place: v.pipe(
    PositiveInteger,
    v.description(
      'Sequence number in `feed`. Gaps occur only where the reader may not see an event.',
    ),
  ),
};

export const eventSchema = <const Types extends readonly string[], Payload extends v.GenericSchema>(
  types: Types,
  payload: Payload,
) =>
  v.strictObject({
    ...eventFields,
    type: v.picklist(types),
    payload: v.pipe(
      v.nullable(payload),
      v.description(
        'In a list, null if an earlier event of the page has the payload. In a push, null if it must be read from the feed.',
      ),
    ),
  });
