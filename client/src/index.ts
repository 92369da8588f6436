export { ApiError, type ErrorDetails, NoReplyError, SignedOutError } from './api-error.ts';
export type { Answer, Call } from './call.ts';
export { type Client, createClient } from './client.ts';
export * from './generated/errors.ts';
export type * from './generated/types.ts';
export type { Cursor, List, Page } from './list.ts';
export { NoEventsError } from './live/connection/failure-policy.ts';
export { live } from './live/live.ts';
export type {
  ConversationSnapshot,
  InboxSnapshot,
  LiveInbox,
  LiveOptions,
  LiveStatus,
  OpenConversation,
  OpenOptions,
  Socket,
  SocketConstructor,
  Store,
} from './live/live-types.ts';
export type {
  CallOptions,
  ChangeOptions,
  ClientOptions,
  Fetch,
  RetrieveOptions,
  RetryOptions,
  SendOptions,
  TokenSource,
} from './options.ts';
