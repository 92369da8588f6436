import * as v from 'valibot';
import { clock, toSeconds } from '../clock.ts';
import { env } from '../env.ts';
import type { Inbox } from '../inbox.ts';
import { describeCause } from '../log/describe-cause.ts';
import { log } from '../log/log.ts';
import type { PushEvent } from '../push-event.ts';
import { postSigned } from '../signing/post-signed.ts';
import { getPublishChannels } from './channels.ts';

/** Maximum events per publish call of AppSync. */
const maxEvents = 5;
/** Maximum bytes of a payload: deliveries are billed by size. */
const maxPayloadBytes = 20 * 1024;

/** Publishes events in order. Never throws: returns how many were lost on a channel. */
export async function publishEvents(inbox: Inbox, events: readonly PushEvent[]): Promise<number> {
  const texts = events.map(toText);
  const channels = getPublishChannels(inbox, toSeconds(clock.now()));
  const lost = await Promise.all(channels.map((channel) => publishToChannel(channel, texts)));
  return Math.max(...lost);
}

/**
 * Returns the JSON of an event. If its payload is too large, leaves out text and attachments, which
 * a listener may have; if these have changed, the whole payload, which the feed has.
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

/** Sequential calls, so that events usually arrive in order. */
async function publishToChannel(channel: string, events: readonly string[]): Promise<number> {
  let lost = 0;
  for (let first = 0; first < events.length; first += maxEvents) {
    const batch = events.slice(first, first + maxEvents);
    try {
      lost += await postWithRetry(JSON.stringify({ channel, events: batch }));
    } catch (error) {
      log({ level: 'ERROR', operation: 'push', channel, cause: describeCause(error) });
      lost += batch.length;
    }
  }
  return lost;
}

/** Retries once: a frozen environment's connection may be closed. Publishing twice is harmless. */
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
