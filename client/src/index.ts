export {
  ApiError,
  type ErrorDetails,
  FileReadError,
  NoReplyError,
  SignedOutError,
} from './api-error.ts';
export { type Client, createClient } from './client.ts';
export * from './generated/errors.ts';
export type * from './generated/params.ts';
export type * from './generated/types.ts';
export { NoEventsError } from './live/connection/failure-policy.ts';
export type { LiveGroupStore } from './live/groups/group-store.ts';
export { type GroupSnapshot, liveGroup } from './live/groups/live-group.ts';
export { type GroupsSnapshot, liveGroups } from './live/groups/live-groups.ts';
export { live } from './live/live.ts';
export type {
  ConversationSnapshot,
  InboxSnapshot,
  ListFilters,
  LiveInbox,
  LiveList,
  LiveOptions,
  LiveStatus,
  OpenConversation,
  OpenOptions,
  OutgoingMessage,
  Socket,
  SocketConstructor,
  Store,
} from './live/live-types.ts';
export { createIndexedDbStorage } from './live/outbox/indexed-db-storage.ts';
export type { OutboxStorage } from './live/outbox/outbox-storage.ts';
export type { PendingFile, PendingMessage } from './live/outbox/pending-message.ts';
export type {
  CallOptions,
  ChangeOptions,
  ClientOptions,
  Fetch,
  PutFile,
  PutFileOptions,
  RetrieveOptions,
  RetryOptions,
  SendOptions,
  TokenSource,
} from './options.ts';
export type { ApiResponse, Call } from './requests/call.ts';
export type { Cursor, List, Page } from './requests/list.ts';
export type { BusinessFormat, BusinessIn, Expanded, ExpandedMessage } from './result-types.ts';
export { putFile } from './upload/put-file.ts';
export type { Upload, UploadOptions, UploadProgress } from './upload/upload-file.ts';
