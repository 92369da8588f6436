import type { GenericSchema, InferOutput } from 'valibot';
import type { ErrorCode } from './errors.ts';
import { describeSchema } from './schema/describe-schema.ts';
import type { Page } from './schema/list-schema.ts';

/** A table call to grant. A transaction needs a grant for each of its operations. */
export type TableCall =
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

/**
 * Table calls that a function is granted, by kind of partition. Grants on indexes allow only
 * `Query`.
 */
export interface TableCalls {
  /** Conversations with their messages and the participants' settings. */
  readonly conversations?: readonly TableCall[];
  /** Contacts with their idempotency records and memberships. */
  readonly contacts?: readonly TableCall[];
  readonly businesses?: readonly TableCall[];
  /** Distinct conversations, and blocks between two contacts. */
  readonly distinctPairs?: readonly TableCall[];
  readonly feeds?: readonly TableCall[];
  readonly webhookEndpoints?: readonly TableCall[];
  /** Feeds of groups, a subset of `feeds`. */
  readonly groupFeeds?: readonly TableCall[];
  /** User groups, and the upper bounds of every group: see group-heads.ts. */
  readonly groups?: readonly TableCall[];
  readonly requestCounts?: readonly TableCall[];
  /** Counts of uploaded bytes per person. */
  readonly uploadCounts?: readonly TableCall[];
  readonly epoch?: readonly TableCall[];
  /** Conversations of a contact or a group, by activity. */
  readonly inboxes?: readonly 'Query'[];
  /** Conversations of a group, by activity; a subset of `inboxes`. */
  readonly groupInboxes?: readonly 'Query'[];
  readonly groupMembers?: readonly 'Query'[];
  readonly flagged?: readonly 'Query'[];
  /** Conversations between two contacts. */
  readonly pairs?: readonly 'Query'[];
  readonly namingConversations?: readonly 'Query'[];
  readonly activeBusinesses?: readonly 'Query'[];
  /** Search entries of businesses. */
  readonly businessEntries?: readonly 'Query'[];
  /** Conversations with a business, by assigned contact. */
  readonly assigned?: readonly 'Query'[];
  readonly openReports?: readonly 'Query'[];
  /** Uploads that no message contains, by expiry. */
  readonly unsentUploads?: readonly 'Query'[];
}
export type PartitionKind = keyof TableCalls;

/** An S3 call that a function may be granted. A URL has the permissions of its signer. */
export type FileCall =
  | 'DeleteObject'
  | 'DeleteObjectTagging'
  | 'GetObject'
  | 'GetObjectTagging'
  /** Without `ListBucket`, S3 returns 403 instead of 404 for a missing object. */
  | 'ListBucket'
  | 'PutObject'
  | 'PutObjectTagging';

/**
 * An operation of the API. The route, the function and its grants, the handler's types and checks,
 * the documents and the tests derive from it.
 */
export interface Operation {
  /** Id in the form `resource/verb`, which is also the handler's path below functions/. */
  readonly id: `${string}/${string}`;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/v1/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters?: GenericSchema;
  readonly query?: GenericSchema;
  readonly body?: GenericSchema;
  readonly reply: GenericSchema;
  readonly status: 200 | 201;
  readonly statusIfExists?: 200;
  /** The reply redirects to its `url` with 302, unless the request contains `redirect=false`. */
  readonly redirects?: true;
  /** Errors in addition to `sharedErrors`. */
  readonly errors: readonly ErrorCode[];
  /** The handler returns a page, and the reply may have a `Link` header. */
  readonly list?: true;
  /** Clients read the list only forward: it always has a `next` link and never a `prev` link. */
  readonly forwardOnly?: true;
  /** The reply has an `ETag` header. */
  readonly versioned?: true;
  /** Requests with the same Idempotency-Key run once. A retry receives the first reply. */
  readonly repeatable?: true;
  /** Path below functions/ of the function that serves this and other rare operations, if any. */
  readonly sharedFunction?: string;
  readonly calls: TableCalls;
  /** Calls on uploaded files, granted in stages with attachments. */
  readonly fileCalls?: readonly FileCall[];
  /** Calls on thumbnails of uploaded images, granted in stages with attachments. */
  readonly thumbnailCalls?: readonly FileCall[];
  /** Deployed only in stages with this feature. */
  readonly feature?: 'events' | 'readReceipts' | 'attachments';
}

/** Returns all success statuses other than 304. */
export const getSuccessStatuses = ({
  status,
  statusIfExists,
  redirects,
}: Operation): readonly number[] => [
  status,
  ...(statusIfExists ? [statusIfExists] : []),
  ...(redirects ? [302] : []),
];

/** Reports whether the reply has status 201 and an `id`, and therefore a `Location` header. */
export const hasLocation = ({ status, reply }: Operation): boolean =>
  status === 201 && describeSchema(reply).fields?.has('id') === true;

/** Errors that every operation with a request body can return. */
export const bodyErrors = [
  'parameter_missing',
  'parameter_invalid',
  'body_malformed',
  'body_too_large',
  'content_type_unsupported',
] as const satisfies ErrorCode[];

export const sharedErrors = [
  'request_invalid',
  'token_missing',
  'token_invalid',
  'token_expired',
  'too_many_groups',
  'too_many_requests',
  'internal_error',
  'unavailable',
  'timeout',
] as const satisfies ErrorCode[];

type Parsed<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : Record<never, never>;

export interface Input<Row extends Operation> {
  path: Parsed<Row['pathParameters']>;
  query: Parsed<Row['query']>;
  body: Parsed<Row['body']>;
}

/** Result of a handler: the reply's body or, for a list, its page. */
export type Output<Row extends Operation> = Row extends { list: true }
  ? Page<ListItem<InferOutput<Row['reply']>>>
  : InferOutput<Row['reply']>;

/** A reply, with the values that determine its status and headers. */
export interface OperationResult<Reply> {
  reply: Reply;
  /** The reply is replayed from an earlier request with the same Idempotency-Key. */
  replayed?: true;
  alreadyExists?: true;
  redirects?: boolean;
  /**
   * Value hashed into the ETag. Distinguishes changes that occur within one second and have
   * equal replies.
   */
  state?: number | string;
  /** Expanded fields, which are not part of the ETag. */
  expansion?: Partial<Reply> | undefined;
}

type ListItem<Reply> = Reply extends { data: (infer Item)[] } ? Item : never;

type ResourceOf<Id> = Id extends `${infer Resource}/${string}` ? Resource : never;

/** Descriptions of the resources with these operations, for the documentation. */
export type ResourceDescriptions<Rows extends readonly Operation[]> = Record<
  ResourceOf<Rows[number]['id']>,
  string
>;
