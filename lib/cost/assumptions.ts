import type { OperationId } from './budgets.ts';

/**
 * What neither the contract nor a measurement on this machine can tell. Each is meant to be rather too much than too
 * little; what a stage really takes is in its logs: duration, table_calls, read_units, write_units of each request.
 */
export const assumptions = {
  /**
   * Billed milliseconds of a warm request, from and to: some 5 for a call of the table that waits for another, and as
   * many for the rest. Assumed, not measured in AWS; the bill takes the longer.
   */
  billedMilliseconds: {
    'messages/send': [12, 25],
    'messages/list': [10, 30],
    'messages/retrieve': [7, 15],
    'messages/update': [12, 25],
    'messages/delete': [12, 25],
    'conversations/list': [14, 35],
    'conversations/create': [8, 18],
    'conversations/retrieve': [7, 15],
    'conversations/update': [12, 30],
    'conversations/delete': [8, 18],
    'business/list': [7, 20],
  } satisfies Record<OperationId, [from: number, to: number]>,
  /** Of all requests, those for which an environment starts first, and how long that is. Lambda bills it. */
  coldStartShare: 0.005,
  coldStartMilliseconds: 400,
  /** The gateway keeps an answer for five minutes: one request in so many asks the authorizer. */
  requestsPerAuthorization: 5,
  authorizerMilliseconds: 10,
  /** Of a writer’s requests, those that store who they are: once a minute is enough. */
  contactWriteShare: 0.5,
  /** Of requests that show messages, those that read two senders who are not in memory. */
  senderReadShare: 0.5,
  /** The function’s line with its metrics, the access log’s, and a little for what Lambda itself says. */
  logBytesPerRequest: 2200,
  /** Logs are kept compressed. */
  logCompression: 0.15,
  /** What a reply weighs besides its body: headers, and its share of the connection. */
  replyOverheadBytes: 900,
  /** A stored message but for its text: keys, id, times. */
  messageOverheadBytes: 350,
} as const;

/** Two kinds of function: those that serve requests, and the purge worker, which mostly waits. */
export const requestMemoryGb = 1;
export const purgeMemoryGb = 0.25;
/** As the purge worker limits itself. */
export const purgeWritesPerSecond = 400;
