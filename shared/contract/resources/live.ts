import * as v from 'valibot';
import { Timestamp } from '../schema/field-types.ts';

export const Live = v.strictObject({
  url: v.pipe(v.string(), v.description('URL of the WebSocket.')),
  host: v.pipe(
    v.string(),
    v.description('Value of `host` in the handshake and in each subscription.'),
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
            'Sequence number to which `cursor` corresponds in this feed; 0 before the first event.',
          ),
        ),
      }),
    ),
    v.description(
      'One channel for each of up to 101 feeds of the caller. Near the end of an hour, also one channel per feed for the next hour.',
    ),
  ),
  expires_at: v.pipe(
    Timestamp,
    v.description(
      'Unix time at which the last channel expires. In the ten minutes before this time, repeat this request and subscribe to the new channels.',
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
    v.description('Cursor for `starting_after` of `GET /v1/events`, to list events from now on.'),
  ),
  is_complete: v.pipe(
    v.boolean(),
    v.description(
      'False if the caller is in more than 100 groups. Then only 100 of them have a channel: those of the token and the most recently active others. For the rest, read `GET /v1/events` every minute.',
    ),
  ),
});
export type Live = v.InferOutput<typeof Live>;
