import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as v from 'valibot';
import { toErrorMessage } from '../../lib/problem.ts';
import { listen } from '../listen.ts';
import { findSigner } from '../push/find-signer.ts';
import type { Callers } from '../stack/caller.ts';
import { createEvent } from './create-event.ts';
import type { EventRules } from './event-rules.ts';

/** Limits of PutEvents per call. */
const maxEntries = 10;
const maxBytes = 256 * 1024;

const Entry = v.object({
  EventBusName: v.optional(v.string(), 'default'),
  Source: v.string(),
  DetailType: v.string(),
  Detail: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())),
  Time: v.optional(v.number()),
  Resources: v.optional(v.array(v.string()), []),
});
const PutEvents = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ Entries: v.pipe(v.array(v.unknown()), v.minLength(1), v.maxLength(maxEntries)) }),
);

export interface BusServerOptions {
  rules: EventRules;
  callers: Callers;
  log(line: string): void;
  /** Returns milliseconds since 1970; `Date.now` by default. */
  now?: () => number;
}

export interface BusServer {
  /** Environment variables that pass the bus's address to the stack's functions. */
  variables: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

interface Reply {
  status: number;
  body: object;
}

/** Serves EventBridge's PutEvents. Delivers events according to the stack's rules. */
export async function startBusServer(options: BusServerOptions): Promise<BusServer> {
  const server = createServer((request, response) => {
    handleRequest(request, options).then(
      (reply) => send(response, reply),
      (error) => send(response, createError(500, 'InternalException', toErrorMessage(error))),
    );
  });
  const { port, close } = await listen(server, 0);
  return { variables: { BUS_URL: `http://127.0.0.1:${port}/` }, stop: close };
}

async function handleRequest(request: IncomingMessage, options: BusServerOptions): Promise<Reply> {
  const { rules, callers, now = Date.now } = options;
  const body = await buffer(request);
  if (request.headers['x-amz-target'] !== 'AWSEvents.PutEvents') {
    return createError(
      400,
      'UnknownOperationException',
      'The local cloud supports only PutEvents.',
    );
  }
  const caller = findSigner(request, body, { callers, service: 'events', now: now() });
  if (!caller) return createError(403, 'AccessDeniedException', 'The signature is invalid.');
  const { success, output, issues } = v.safeParse(PutEvents, body.toString());
  if (!success || body.length > maxBytes) {
    const reason = issues
      ? v.summarize(issues)
      : `The request body is larger than ${maxBytes} bytes.`;
    return createError(400, 'ValidationException', reason);
  }
  const Entries = [];
  for (const entry of output.Entries) {
    const read = v.safeParse(Entry, entry);
    if (!read.success) {
      Entries.push({ ErrorCode: 'InvalidArgument', ErrorMessage: v.summarize(read.issues) });
      continue;
    }
    const { EventBusName } = read.output;
    const busArn = rules.buses.get(EventBusName) ?? EventBusName;
    if (caller.decide('events:PutEvents', busArn) !== 'allow') {
      const message = `User: ${caller.session} is not authorized to perform: events:PutEvents on resource: ${busArn}`;
      return createError(400, 'AccessDeniedException', message);
    }
    Entries.push({ EventId: deliver(read.output, options) });
  }
  const FailedEntryCount = Entries.filter((one) => 'ErrorCode' in one).length;
  return { status: 200, body: { FailedEntryCount, Entries } };
}

/** Starts delivery to the targets of all matching rules. Returns the event's id. */
function deliver(entry: v.InferOutput<typeof Entry>, options: BusServerOptions): string {
  const { rules, log, now = Date.now } = options;
  const event = createEvent({
    source: entry.Source,
    detailType: entry.DetailType,
    resources: entry.Resources,
    detail: entry.Detail,
    time: entry.Time === undefined ? now() : entry.Time * 1000,
  });
  for (const target of rules.findTargets(entry.EventBusName, event)) {
    target(event).catch((error) =>
      log(`A target of the event bus failed: ${toErrorMessage(error)}`),
    );
  }
  return event.id;
}

const createError = (status: number, __type: string, message: string): Reply => ({
  status,
  body: { __type, message },
});

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(body));
}
