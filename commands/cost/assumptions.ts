import type { budgets, liveBudget, OperationId } from './budgets.ts';

/**
 * Assumptions that neither the contract nor a local measurement provides, estimated high. The logs
 * of a stage contain the real values of each request: duration, table_calls, read_units,
 * write_units.
 */
export const assumptions = {
  /** Bytes of a message's text. */
  textBytes: 200,
  /** Average size of an uploaded file. It is stored for a month. */
  fileMegabytes: 1,
  /** Size of a thumbnail, and the billed duration of making one from a 12-megapixel picture. */
  thumbnailKilobytes: 20,
  thumbnailMilliseconds: 1000,
  /** Bytes of a stored message with keys, id and timestamps. It takes one write unit. */
  messageBytes: 550,
  /** Messages in a deleted conversation. */
  messagesPerConversation: 100,
  /** Groups of a user who lists conversations. */
  groupsPerUser: 2,
  /** Billed milliseconds of a warm request: once for each table call, and once for the rest. */
  millisecondsPerCall: 8,
  /** Share of requests with a cold start, and its billed duration. */
  coldStartShare: 0.005,
  coldStartMilliseconds: 400,
  /**
   * The gateway caches authorizer responses for five minutes: one request in this many calls the
   * authorizer.
   */
  requestsPerAuthorization: 5,
  authorizerMilliseconds: 10,
  /** Share of POST and PUT requests that also store the caller's contact, at most once a minute. */
  contactWriteShare: 0.5,
  /** Share of requests for messages that read two senders who are not in the cache. */
  senderReadShare: 0.5,
  /**
   * Measured bytes of the function's log line with its metrics and of the gateway's, including
   * CloudWatch's 26 bytes for each. Lambda's own log lines are disabled.
   */
  logBytesPerRequest: 1400,
  /** Bytes of a reply in addition to its body: headers and its share of the connection. */
  replyOverheadBytes: 900,
  /**
   * Milliseconds for the live worker’s parallel publications of one change over an open TLS
   * connection.
   */
  millisecondsPerPublish: 30,
  /** Lambda polls an idle queue with five pollers that wait 20 seconds each. */
  pollsPerMinute: 15,
  /** Measured bytes of a log line of a worker or the channel authorizer. */
  logBytesPerDecision: 700,
  /**
   * Share of delivered pushes after which the client reads its feed, because of a gap or because
   * the push omits the payload.
   */
  repairReadShare: 0.05,
  /** Bytes of a push in addition to its event: the frame and escaped quotation marks. */
  frameBytes: 200,
  /**
   * Bytes of a full feed chunk with its key and DynamoDB's overhead per item. Stored for a month.
   */
  chunkBytes: 1124,
  /**
   * Reconnects of a listener per hour: device sleep, network changes, and the connection limit of
   * one day.
   */
  connectionsPerHour: 0.25,
  /**
   * A connected client of this project retrieves the channels four to six times an hour and reads
   * the feed only if something is missing (test/client/live-over-hours.test.ts).
   */
  channelReadsPerHour: 5,
  /** After connecting, a client retrieves the channels once and reads the feed twice. */
  feedReadsPerConnection: 2,
} as const;

/** Monthly requests, listening hours and open connections of a person who chats (`--people`). */
export const personMonth = {
  requests: {
    'messages/send': 300,
    'messages/list': 300,
    'conversations/list': 150,
    'conversations/create': 5,
    'conversations/update': 10,
    'messages/update': 20,
  },
  listeningHours: 60,
  connections: 2,
} as const satisfies { requests: { [Id in OperationId]?: number } } & Record<string, unknown>;

type Budgets = typeof budgets;

/**
 * How often each budget of an operation applies; an operation not listed always uses its first. One
 * conversation in five is a group's; every other send has an Idempotency-Key; two in five group
 * sends without a key follow a pause; one list of messages in ten spans conversations, and one in
 * four of the rest contains a new message; one list of conversations in ten filters by a flag; one
 * update in ten pins.
 */
export const shares: { [Id in keyof Budgets]?: { [Budget in keyof Budgets[Id]]?: number } } = {
  'messages/send': {
    ...{ direct: 0.4, group: 0.06, groupAfterPause: 0.02, groupAfterPauseElsewhere: 0.02 },
    ...{ directOnce: 0.4, groupOnce: 0.1 },
  },
  // Lists across conversations use the more expensive case.
  'messages/list': { oneNew: 0.225, nothingNew: 0.675, acrossTen: 0.1 },
  'conversations/list': { expanded: 0.45, threeUnread: 0.45, oneFlag: 0.1 },
  'events/list': { nothingNew: 0.7, tenNew: 0.3 },
  'conversations/create': { direct: 0.8, group: 0.2 },
  'conversations/update': { nextFlag: 0.9, pin: 0.1 },
  'conversations/delete': { direct: 0.8, group: 0.2 },
};

/**
 * Events per request of an operation, in the same shares: in a direct conversation, in a group's,
 * or only for the user. Each event is assumed to be its own stream batch; larger batches in a busy
 * stage cost less.
 */
export const eventShares: Partial<
  Record<OperationId, { [Of in keyof Omit<typeof liveBudget, 'aChunk' | 'aGroupChunk'>]?: number }>
> = {
  'messages/send': { direct: 0.8, group: 0.2 },
  // A new message is marked as read, and the same batch opens the conversation.
  'messages/list': { opened: 0.18, group: 0.045 },
  'messages/update': { direct: 0.8, group: 0.2 },
  'messages/delete': { direct: 0.8, group: 0.2 },
  'conversations/create': { direct: 0.8, group: 0.2 },
  'conversations/update': { oneself: 0.9, direct: 0.08, group: 0.02 },
  'conversations/delete': { direct: 0.8, group: 0.2 },
};
