import { clock, toSeconds } from '../../shared/clock.ts';
import { retrieveLive } from '../../shared/contract/operations.ts';
import { env } from '../../shared/env.ts';
import { serve } from '../../shared/http/serve.ts';
import { getSubscribableChannels } from '../../shared/push/channels.ts';
import { getCurrentCursor } from '../../shared/table/feed/read/events-page.ts';
import { selectGroups } from '../../shared/table/groups/select-groups.ts';

export const handler = serve(retrieveLive, async (request) => {
  const { caller, cursor, positions } = await getCurrentCursor(request.caller);
  const now = toSeconds(clock.now());
  const listener = await selectGroups(caller);
  const { channels, expires_at } = getSubscribableChannels(listener, now);
  return {
    url: env('LIVE_URL'),
    host: env('LIVE_HOST'),
    channels: channels.map(({ name, feed, group_id }) => ({
      name,
      feed,
      group_id,
      place: (positions.get(feed)?.next ?? 1) - 1,
    })),
    expires_at,
    expires_in: expires_at - now,
    cursor,
    is_complete: listener.groups.length === caller.groups.length,
  };
});
