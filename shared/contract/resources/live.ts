import * as v from 'valibot';
import { Timestamp } from '../schema/field-types.ts';

export const Live = v.strictObject({
  url: v.pipe(v.string(), v.description('URL of the WebSocket.')),
  host: v.pipe(
    v.string(),
    v.description('Host to name in the handshake and in each subscription.'),
  ),
  channels: v.pipe(
    v.array(
      v.strictObject({
        name: v.pipe(v.string(), v.description('Name of the channel to subscribe to.')),
        feed: v.pipe(v.string(), v.description('Feed of the channel.')),
        group_id: v.pipe(
          v.nullable(v.string()),
          v.description('Group of the feed; null for the feed of the caller.'),
        ),
        place: v.pipe(
          v.number(),
          v.integer(),
          v.minValue(0),
          v.description(
            'Sequence number in the feed that corresponds to `cursor`; 0 before the first event.',
          ),
        ),
      }),
    ),
    v.description(
      'One channel per feed of the caller, at most 101, and near the end of an hour a second one for the next hour.',
    ),
  ),
  expires_at: v.pipe(
    Timestamp,
    v.description(
      'When the last channel ends, in Unix seconds. Within the ten minutes before, request again and subscribe to the new channels.',
    ),
  ),
  expires_in: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.description('Seconds until `expires_at`, for devices whose clock is wrong.'),
  ),
  cursor: v.pipe(
    v.string(),
    v.description('Cursor for `starting_after` of `GET /v1/events`: events from now on.'),
  ),
  is_complete: v.pipe(
    v.boolean(),
    v.description(
      'False if some groups have no channel because the caller is in more than 100: the most recently active groups have one. For the others, read `GET /v1/events` every minute.',
    ),
  ),
});
export type Live = v.InferOutput<typeof Live>;
