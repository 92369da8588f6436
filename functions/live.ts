import { serveChanges } from '../shared/stream/serve-changes.ts';
import { tell } from '../shared/table/feed/tell.ts';

/** Woken by changes of messages, conversations and settings: tells them in the feeds of those who may see them. */
export const handler = serveChanges('live', async (changes) => {
  const { told, failed } = await tell(changes);
  return { failed, facts: { events: told.length } };
});
