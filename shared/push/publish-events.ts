import * as v from 'valibot';
import { clock, toSeconds } from '../clock.ts';
import { env } from '../env.ts';
import type { Inbox } from '../inbox.ts';
import { describeCause } from '../log/describe-cause.ts';
import { log } from '../log/log.ts';
import type { PushEvent } from '../push-event.ts';
import { postSigned } from '../signing/send-signed.ts';
import { getPublishChannels } from './channels.ts';

/** Maximum number of events per publish call of AppSync. */
const maxEvents = 5;
/** Maximum bytes of a payload. The limit reduces costs, because AWS bills deliveries by size. */
const maxPayloadBytes = 20 * 1024;
const concurrentPublications = 4;

/**
 * Publishes events to an inbox. Never throws. Returns the largest number of events that a single
 * channel lost.
 */
export async function publishEvents(inbox: Inbox, events: readonly PushEvent[]): Promise<number> {
  const texts = events.map(toText);
  const channels = getPublishChannels(inbox, toSeconds(clock.now()));
  const lostCounts = await Promise.all(channels.map((channel) => publishToChannel(channel, texts)));
  return Math.max(...lostCounts);
}

/**
 * Returns an event as JSON. Omits the text and attachments of a large payload if they are
 * unchanged. If the payload is still too large, replaces it with null, and clients read the payload
 * from the feed.
 */
function toText({ event, keepsContent }: PushEvent): string {
  const { payload } = event;
  if (isSmall(payload)) return JSON.stringify(event);
  if (keepsContent && payload && 'message' in payload) {
    const { message: _text, attachments: _attachments, ...others } = payload;
    if (isSmall(others)) return JSON.stringify({ ...event, payload: others });
  }
  return JSON.stringify({ ...event, payload: null });
}

const isSmall = (payload: unknown) => Buffer.byteLength(JSON.stringify(payload)) <= maxPayloadBytes;

/**
 * Publishes batches concurrently and in any order, because listeners order events by sequence
 * number. Returns the number of lost events.
 */
async function publishToChannel(channel: string, events: readonly string[]): Promise<number> {
  const batches = Array.from({ length: Math.ceil(events.length / maxEvents) }, (_, n) =>
    events.slice(n * maxEvents, (n + 1) * maxEvents),
  );
  let lostCount = 0;
  const publishNext = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const lostInBatch = await publishBatch(channel, batch);
      lostCount += lostInBatch;
    }
  };
  await Promise.all(Array.from({ length: concurrentPublications }, publishNext));
  return lostCount;
}

async function publishBatch(channel: string, events: readonly string[]): Promise<number> {
  try {
    return await postWithRetry(JSON.stringify({ channel, events }));
  } catch (error) {
    log({ level: 'ERROR', operation: 'push', channel, cause: describeCause(error) });
    return events.length;
  }
}

/**
 * Posts the body. Retries once, because the connection may have closed while the environment was
 * frozen. Listeners ignore duplicates.
 */
const postWithRetry = (body: string): Promise<number> => postOnce(body).catch(() => postOnce(body));

const Reply = v.object({ failed: v.array(v.unknown()) });

async function postOnce(body: string): Promise<number> {
  const text = await postSigned({
    service: 'appsync',
    url: new URL(env('PUSH_URL')),
    headers: { 'content-type': 'application/json' },
    body,
  });
  return v.parse(Reply, JSON.parse(text)).failed.length;
}
