import * as v from 'valibot';
import { Timestamp } from './values.ts';

/** Where to listen, and where to read on from. */
export const Live = v.strictObject({
  url: v.pipe(v.string(), v.description('Address of the WebSocket.')),
  host: v.pipe(v.string(), v.description('What the handshake and each subscription name as host.')),
  channels: v.pipe(
    v.array(
      v.strictObject({
        name: v.pipe(v.string(), v.description('What to subscribe to.')),
        feed: v.pipe(v.string(), v.description('The feed that it tells of.')),
        place: v.pipe(
          v.number(),
          v.integer(),
          v.minValue(0),
          v.description('The place in that feed that `cursor` is behind; 0 before the first.'),
        ),
      }),
    ),
    v.description(
      'One for each feed of the caller, and near the end of an hour another one for the next.',
    ),
  ),
  expires_at: v.pipe(
    Timestamp,
    v.description(
      'When nothing more comes on the last of the channels. Ask again, and subscribe to what is new, within the ten minutes before.',
    ),
  ),
  cursor: v.pipe(
    v.string(),
    v.description('For `starting_after` of `GET /v1/events`: what happens from now on.'),
  ),
});
export type Live = v.InferOutput<typeof Live>;
