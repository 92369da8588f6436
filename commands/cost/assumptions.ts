import type { budgets, liveBudget, OperationId } from './budgets.ts';

/**
 * What neither the contract nor a measurement on this machine can tell. Each is meant to be rather too much than too
 * little; what a stage really takes is in its logs: duration, table_calls, read_units, write_units of each request.
 */
export const assumptions = {
  /** Bytes of a message's text. */
  textBytes: 200,
  /** Of a stored message, with keys, id and times: so it takes a write unit. */
  messageBytes: 550,
  /** In the conversations that are deleted. */
  messagesPerConversation: 100,
  /** Groups that somebody who lists conversations is in. */
  groupsPerUser: 2,
  /** Billed milliseconds of a warm request: these for each of its calls of the table, and as many for the rest. */
  millisecondsPerCall: 8,
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
  /** What a reply weighs besides its body: headers, and its share of the connection. */
  replyOverheadBytes: 900,
  /** Milliseconds for the live worker’s publications of one change, which are side by side: TLS stays. */
  millisecondsPerPublish: 30,
  /** A line of the live worker, or of the channel authorizer, with what Lambda itself says. */
  logBytesPerDecision: 1200,
  /** What a push weighs besides its event: the frame, and the quotation marks in it. */
  frameBytes: 200,
  /** Of a full chunk of a feed, with its key and what DynamoDB adds to each item. It stays for 30 days: a month. */
  chunkBytes: 1124,
  /** How often a listener’s connection is made again in an hour, by sleep, by the network, by its end after a day. */
  connectionsPerHour: 0.25,
  /** A quarter of an hour is the longest that a client waits, and it reads after subscribing, twice. */
  feedReadsPerHour: 6,
} as const;

type Budgets = typeof budgets;

/**
 * Of an operation with several budgets, how often each is met. Every fifth conversation is a group's, every other send has
 * an Idempotency-Key; every fourth list of messages finds a new one, and one in ten goes across conversations; one in ten
 * lists of conversations asks for a flag, one in ten updates pins. Unless an operation is named here, its first budget counts.
 */
export const shares: { [Id in keyof Budgets]?: { [Budget in keyof Budgets[Id]]?: number } } = {
  'messages/send': { direct: 0.4, group: 0.1, directOnce: 0.4, groupOnce: 0.1 },
  // Across, rather the dear one.
  'messages/list': { oneNew: 0.225, nothingNew: 0.675, acrossTen: 0.1 },
  'conversations/list': { all: 0.9, oneFlag: 0.1 },
  'conversations/create': { direct: 0.8, group: 0.2 },
  'conversations/update': { nextFlag: 0.9, pin: 0.1 },
  'conversations/delete': { direct: 0.8, group: 0.2 },
};

/**
 * What a request of an operation changes, so that the live worker tells of it: in a direct conversation, in a group's, or for
 * oneself alone, each with so many changes a request; by the same shares. Each is a batch of the stream by itself: in a
 * busy stage a batch has more, which costs less.
 */
export const told: Partial<
  Record<OperationId, { [Of in Exclude<keyof typeof liveBudget, 'aChunk'>]?: number }>
> = {
  'messages/send': { direct: 0.8, group: 0.2 },
  // A message that is new is read, and in the same batch the conversation opened.
  'messages/list': { direct: 0.18, group: 0.045 },
  'messages/update': { direct: 0.8, group: 0.2 },
  'messages/delete': { direct: 0.8, group: 0.2 },
  'conversations/create': { direct: 0.8, group: 0.2 },
  'conversations/update': { oneself: 0.9, direct: 0.08, group: 0.02 },
  'conversations/delete': { direct: 0.8, group: 0.2 },
};
