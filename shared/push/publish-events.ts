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
/** Maximum bytes of a payload: deliveries are billed by size. */
const maxPayloadBytes = 20 * 1024;
/** Maximum concurrent publications per channel. */
const concurrentPublications = 4;

/**
 * Publishes events to an inbox. Never throws. Returns the number of events lost on the channel that
 * lost the most events.
 */
export async function publishEvents(inbox: Inbox, events: readonly PushEvent[]): Promise<number> {
  const texts = events.map(toText);
  const channels = getPublishChannels(inbox, toSeconds(clock.now()));
  const lost = await Promise.all(channels.map((channel) => publishToChannel(channel, texts)));
  return Math.max(...lost);
}

/**
 * Returns an event as JSON. If the payload is too large, omits the text and attachments, which
 * listeners may already have. If the event changed them, or the payload is still too large, sends
 * null; clients then read the payload from the feed.
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
 * Publishes batches concurrently, so that a burst in one channel delays later changes less. Returns
 * the number of lost events. Listeners order events by sequence number.
 */
async function publishToChannel(channel: string, events: readonly string[]): Promise<number> {
  const batches = Array.from({ length: Math.ceil(events.length / maxEvents) }, (_, n) =>
    events.slice(n * maxEvents, (n + 1) * maxEvents),
  );
  let lost = 0;
  const publishNext = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const lostNow = await publishBatch(channel, batch);
      lost += lostNow;
    }
  };
  await Promise.all(Array.from({ length: concurrentPublications }, publishNext));
  return lost;
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
 * Retries once, because the connection may have closed while the environment was frozen. Duplicate
 * events are harmless.
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
