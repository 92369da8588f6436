import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as v from 'valibot';
import type { Callers } from '../stack/caller.ts';
import { parseChannel } from './channel-path.ts';
import type { EventApi } from './event-api.ts';
import type { Hub } from './event-hub.ts';
import { findSigner } from './find-signer.ts';

/** AppSync's limits for one publish request. */
const maxEvents = 5;
const maxEventBytes = 240 * 1024;
const maxBytes = maxEvents * maxEventBytes;

const Json = v.pipe(
  v.string(),
  v.check((text) => v.is(v.pipe(v.string(), v.parseJson()), text), 'an event is not JSON'),
);
const Publication = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    channel: v.string(),
    events: v.pipe(v.array(Json), v.minLength(1), v.maxLength(maxEvents)),
  }),
);

export interface Reply {
  status: number;
  body: object;
}

const createErrorReply = (status: number, errorType: string, message: string): Reply => ({
  status,
  body: { errors: [{ errorType, message }] },
});

const createTooLargeReply = (message: string) =>
  createErrorReply(413, 'RequestEntityTooLargeException', message);

export interface PublishOptions {
  api: EventApi;
  callers: Callers;
  hub: Hub;
  /** Returns milliseconds since 1970. */
  now(): number;
}

/** Publishes events received over HTTP if the signer's role allows it. */
export async function handlePublish(
  request: IncomingMessage,
  { api, callers, hub, now }: PublishOptions,
): Promise<Reply> {
  const body = await buffer(request);
  const caller = findSigner(request, body, { callers, service: 'appsync', now: now() });
  if (!caller) return createErrorReply(403, 'UnauthorizedException', 'The signature is invalid.');
  if (body.length > maxBytes)
    return createTooLargeReply(`The request body is larger than ${maxBytes} bytes.`);
  const { success, output, issues } = v.safeParse(Publication, body.toString());
  if (!success) return createErrorReply(400, 'BadRequestException', v.summarize(issues));
  const { channel, events } = output;
  if (events.some((event) => Buffer.byteLength(event) > maxEventBytes)) {
    return createTooLargeReply(`An event is larger than ${maxEventBytes} bytes.`);
  }
  const segments = parseChannel(channel);
  const [namespace = ''] = segments ?? [];
  if (!segments || !api.namespaces.has(namespace)) {
    return createErrorReply(400, 'BadRequestException', `The channel ${channel} does not exist.`);
  }
  const resource = `${api.arn}/channelNamespace/${namespace}`;
  if (caller.decide('appsync:EventPublish', resource) !== 'allow') {
    const message = `User: ${caller.session} is not authorized to perform: appsync:EventPublish on resource: ${resource}`;
    return createErrorReply(403, 'UnauthorizedException', message);
  }
  return { status: 200, body: hub.publish(channel, segments, events) };
}
