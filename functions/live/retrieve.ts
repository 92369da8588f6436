import { clock, toSeconds } from '../../shared/clock.ts';
import { retrieveLive } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { cursorOfNow } from '../../shared/table/feed/page.ts';

/** Seconds after which a client that only reads asks again. */
const goodFor = 3600;

export const handler = serve(retrieveLive, async ({ caller }) => {
  const { cursor } = await cursorOfNow(caller);
  const expires_at = toSeconds(clock.now()) + goodFor;
  return { url: null, host: null, channels: [], expires_at, cursor };
});
