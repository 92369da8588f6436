import type { budgets, liveBudget, OperationId } from './budgets.ts';

/**
 * Values that neither the contract nor budgets.ts provides, estimated high unless measured. The
 * logs of a stage contain each request's actual duration, table_calls, read_units and write_units.
 */
export const assumptions = {
  /** Size of a message's text in bytes. */
  textBytes: 200,
  /** Average size of an uploaded file. The bill includes one month of storage per file. */
  fileMegabytes: 1,
  thumbnailKilobytes: 20,
  /** Billed duration of creating a thumbnail from a 12-megapixel image. */
  thumbnailMilliseconds: 1000,
  /** Size of a stored message in bytes, including keys, id and timestamps. */
  messageBytes: 550,
  /** Number of messages in a deleted conversation. */
  messagesPerConversation: 100,
  /** Number of groups of a user who lists conversations. */
  groupsPerUser: 2,
  /**
   * Billed milliseconds of each table call. The rest of a warm request counts as one additional
   * table call.
   */
  millisecondsPerCall: 8,
  coldStartShare: 0.005,
  /** Billed duration of a cold start. */
  coldStartMilliseconds: 400,
  /**
   * Number of requests per authorizer invocation. The gateway caches the authorizer's responses for
   * five minutes.
   */
  requestsPerAuthorization: 5,
  authorizerMilliseconds: 10,
  /** Share of POST and PUT requests that also write the caller's contact. */
  contactWriteShare: 0.5,
  /** Share of message requests that also read two uncached senders. */
  senderReadShare: 0.5,
  /**
   * Measured size in bytes of a request's two log lines: the function's line, which includes
   * metrics, and the gateway's line. Includes CloudWatch's overhead of 26 bytes per line. At the
   * configured log level, Lambda writes no lines of its own.
   */
  logBytesPerRequest: 1400,
  /** Bytes of a reply besides its body: headers, and a share of the TLS handshake. */
  replyOverheadBytes: 900,
  /** Milliseconds that the live worker takes to publish one change over an open connection. */
  millisecondsPerPublish: 30,
  /**
   * Polls of an idle queue per minute: Lambda runs five pollers, and each poll waits 20 seconds.
   */
  pollsPerMinute: 15,
  /** Measured bytes per log line of a worker or the channel authorizer. */
  logBytesPerDecision: 700,
  /**
   * Share of delivered pushes after which the client reads its feed, because of a gap or because
   * the push does not contain the event's payload.
   */
  repairReadShare: 0.05,
  /** Bytes that a push adds to its event: the frame and escaped quotation marks. */
  frameBytes: 200,
  /**
   * Bytes of a full feed chunk, including its key and DynamoDB's overhead per item. The bill
   * includes its storage for one month.
   */
  chunkBytes: 1124,
  /**
   * Number of times per hour that a listener reconnects, because of device sleep, network changes
   * and AppSync's maximum connection time of one day.
   */
  connectionsPerHour: 0.25,
  /**
   * Number of times per hour that a listener requests its channels. A connected client of this
   * project requests the channels four to six times per hour. The client reads the feed only after
   * a gap (test/client/live-over-hours.test.ts).
   */
  channelReadsPerHour: 5,
  /**
   * Number of feed reads after each connection. The client also retrieves the channels once per
   * connection.
   */
  feedReadsPerConnection: 2,
} as const;

/**
 * Assumptions about people who chat (`--people`): each person's monthly requests and listening
 * hours, and the number of connections that receive each event.
 */
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
 * Share of an operation's requests to which each budget applies. An operation that is not listed
 * always uses its first budget.
 */
export const shares: { [Id in keyof Budgets]?: { [Budget in keyof Budgets[Id]]?: number } } = {
  // One send in five goes to a group. Half of all sends have an Idempotency-Key. Of the group sends
  // without a key, two in five follow a pause.
  'messages/send': {
    ...{ direct: 0.4, group: 0.06, groupAfterPause: 0.02, groupAfterPauseElsewhere: 0.02 },
    ...{ directOnce: 0.4, groupOnce: 0.1 },
  },
  // One list request in ten spans conversations and uses `acrossTen`, the more expensive of two
  // budgets. Of the other list requests, one in four returns a new message.
  'messages/list': { oneNew: 0.225, nothingNew: 0.675, acrossTen: 0.1 },
  'conversations/list': { expanded: 0.45, threeUnread: 0.45, oneFlag: 0.1 },
  'events/list': { nothingNew: 0.7, tenNew: 0.3 },
  'conversations/create': { direct: 0.8, group: 0.2 },
  'conversations/update': { nextFlag: 0.9, pin: 0.1 },
  'conversations/delete': { direct: 0.8, group: 0.2 },
};

/**
 * Number of events per request of an operation, for each budget of the live worker. Assumes one
 * stream batch per event; the larger batches of a busy stage cost less per event.
 */
export const eventShares: Partial<
  Record<OperationId, { [Of in keyof Omit<typeof liveBudget, 'aChunk' | 'aGroupChunk'>]?: number }>
> = {
  'messages/send': { direct: 0.8, group: 0.2 },
  // Listing a new message marks it as read and its conversation as opened, in one batch.
  'messages/list': { opened: 0.18, group: 0.045 },
  'messages/update': { direct: 0.8, group: 0.2 },
  'messages/delete': { direct: 0.8, group: 0.2 },
  'conversations/create': { direct: 0.8, group: 0.2 },
  'conversations/update': { oneself: 0.9, direct: 0.08, group: 0.02 },
  'conversations/delete': { direct: 0.8, group: 0.2 },
};
