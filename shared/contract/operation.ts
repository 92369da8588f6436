import type { GenericSchema, InferOutput } from 'valibot';
import type { ErrorCode } from './errors.ts';
import type { Page } from './list.ts';

/** A call of the table that a function may be granted; a transaction is granted by its parts. */
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
 * What a function may call, and on which kinds of partitions, of the table or of its indexes: these
 * can only be queried. It is granted that, and nothing else.
 */
export interface TableCalls {
  /** Each with its messages and everybody's settings. */
  readonly conversations?: readonly TableCall[];
  /** Each with the idempotency records of its requests. */
  readonly contacts?: readonly TableCall[];
  readonly businesses?: readonly TableCall[];
  /** For two contacts, which of their conversations is the one that there is to be. */
  readonly distinctPairs?: readonly TableCall[];
  /** What has happened, for each contact and each group. */
  readonly feeds?: readonly TableCall[];
  /** Which of the feeds' lives this is. */
  readonly epoch?: readonly TableCall[];
  /** The conversations of somebody or of a group, by activity. */
  readonly inboxes?: readonly 'Query'[];
  /** The conversations of a group, by activity: some of the inboxes. */
  readonly groupInboxes?: readonly 'Query'[];
  /** The conversations that somebody has given a flag. */
  readonly flagged?: readonly 'Query'[];
  /** The conversations of two contacts. */
  readonly pairs?: readonly 'Query'[];
  /** Those of a group that name a contact. */
  readonly named?: readonly 'Query'[];
  readonly activeBusinesses?: readonly 'Query'[];
}
export type PartitionKind = keyof TableCalls;

/**
 * One operation of the API as a plain object. The route, the function and its grants, the handler's
 * types and checks, the OpenAPI document, the README's table and the tests are all read from it.
 */
export interface Operation {
  /** `resource/verb`: also the handler's path below functions/. */
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
  /** The status where nothing was made, as what is asked for was there already. */
  readonly statusOfFound?: 200;
  /** What can go wrong beyond what every operation shares (see `sharedErrors`). */
  readonly errors: readonly ErrorCode[];
  /** The handler gives a page, and the reply carries `Link`. */
  readonly list?: true;
  /**
   * It grows at its end, and is read in that direction alone: there is a `next` link always, and
   * never a `prev`.
   */
  readonly endless?: true;
  /** The reply names its version in `ETag`. */
  readonly versioned?: true;
  /** A request with an Idempotency-Key happens once, and gets its first reply again. */
  readonly repeatable?: true;
  readonly calls: TableCalls;
  /** It is there only in stages that have it. */
  readonly feature?: 'events';
}

/** All statuses of a request that succeeds, but that of something that has not changed. */
export const goodStatuses = ({ status, statusOfFound }: Operation): readonly number[] => [
  status,
  ...(statusOfFound ? [statusOfFound] : []),
];

/** Errors that any operation may answer. */
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

/** The checked input of an operation. */
export interface Input<Row extends Operation> {
  path: Parsed<Row['pathParameters']>;
  query: Parsed<Row['query']>;
  body: Parsed<Row['body']>;
}

/** What a handler gives: the reply's body, or for a list its page. */
export type Output<Row extends Operation> = Row extends { list: true }
  ? Page<ListItem<InferOutput<Row['reply']>>>
  : InferOutput<Row['reply']>;

/** A reply with what a handler has to tell beside it. */
export interface Answer<Reply> {
  reply: Reply;
  /**
   * It is the first reply to a request, given again because it came with the same Idempotency-Key.
   */
  replayed?: true;
  /** Nothing was made: it was there already. */
  found?: true;
  /**
   * Tells states apart that a reply shows alike, since its times are whole seconds: part of the
   * ETag.
   */
  state?: number;
  /**
   * What the reply brings along, as it was asked to. It is of other things, and no part of the
   * ETag.
   */
  expansion?: Partial<Reply> | undefined;
}

type ListItem<Reply> = Reply extends { data: (infer Item)[] } ? Item : never;
