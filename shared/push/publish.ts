import * as v from 'valibot';
import { clock, toSeconds } from '../clock.ts';
import type { Event } from '../contract/event.ts';
import { deadline } from '../deadline.ts';
import { env } from '../env.ts';
import type { Inbox } from '../inbox.ts';
import { causeText } from '../log/cause-text.ts';
import { log } from '../log/log.ts';
import { channelsToPublishOn } from './channels.ts';
import { signedHeaders } from './sign.ts';

/** AppSync takes so many events at once … */
const maxEvents = 5;
/** … and a payload of more bytes is left out, as each delivery is billed by its size: listeners then read the feed. */
const maxPayloadBytes = 20 * 1024;
/** Milliseconds that a try may take. */
const timeout = 2000;

/**
 * Tells those who listen to an inbox what has happened in it, in that order. This is best effort: it never throws, and
 * gives how many events could not be told, on one of the channels or on both. What is lost is in the feed.
 */
export async function publish(inbox: Inbox, events: readonly Event[]): Promise<number> {
  const texts = events.map((event) => JSON.stringify({ ...event, ...leftOut(event) }));
  const channels = channelsToPublishOn(inbox, toSeconds(clock.now()));
  const lost = await Promise.all(channels.map((channel) => publishOn(channel, texts)));
  return Math.max(...lost);
}

const leftOut = ({ payload }: Event) =>
  Buffer.byteLength(JSON.stringify(payload)) > maxPayloadBytes ? { payload: null } : {};

/** One after the other, so that they arrive in their order mostly. */
async function publishOn(channel: string, events: readonly string[]): Promise<number> {
  let lost = 0;
  for (let first = 0; first < events.length; first += maxEvents) {
    const some = events.slice(first, first + maxEvents);
    try {
      lost += await post(JSON.stringify({ channel, events: some }));
    } catch (error) {
      log({ level: 'ERROR', operation: 'push', channel, cause: causeText(error) });
      lost += some.length;
    }
  }
  return lost;
}

/** A second try: the connection may have been closed while this environment was frozen. Twice told does no harm. */
const post = (body: string): Promise<number> => postOnce(body).catch(() => postOnce(body));

const Reply = v.object({ failed: v.array(v.unknown()) });

/** Gives how many of the events AppSync could not take. */
async function postOnce(body: string): Promise<number> {
  const url = new URL(env('PUSH_URL'));
  const signal = AbortSignal.any([AbortSignal.timeout(timeout), deadline() ?? []].flat());
  const headers = await signedHeaders(url, body);
  const response = await fetch(url, { method: 'POST', headers, body, signal });
  const text = await response.text();
  if (!response.ok) throw new Error(`AppSync answered ${response.status}: ${text.slice(0, 500)}`);
  return v.parse(Reply, JSON.parse(text)).failed.length;
}
