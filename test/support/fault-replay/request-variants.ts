import type { Operation } from '../../../shared/contract/operation.ts';
import { operations, sendMessage, updateMessage } from '../../../shared/contract/operations.ts';
import type { Call } from '../handlers/gateway-event.ts';
import { request } from '../handlers/invoke-handler.ts';

/** A request, unchanged or with a header that the operation supports, a large text, or both. */
export interface RequestVariant {
  title: string;
  headersFor: (call: Call) => Promise<Record<string, string>>;
  toCall?: (call: Call) => Call;
  /** True if repeated requests take effect only once. */
  isOnce?: true;
}

const rows: readonly Operation[] = operations;

const withoutHeaders: RequestVariant = { title: '', headersFor: async () => ({}) };

const withIdempotencyKey: RequestVariant = {
  title: ', with an Idempotency-Key',
  headersFor: async () => ({ 'Idempotency-Key': 'once' }),
  isOnce: true,
};

/** Returns a variant that sends the ETag of the resource in the path. */
const withIfMatch = ({ path }: Operation): RequestVariant => ({
  title: ', with If-Match',
  headersFor: async ({ as, path: ids = {} }) => {
    const retrieve = rows.find((row) => row.method === 'GET' && row.path === path);
    const reply = retrieve && (await request(retrieve, { as, path: ids }));
    return { 'If-Match': reply?.headers.ETag ?? 'none' };
  },
});

/** Adds a text that is too large for a log entry and therefore causes different table calls. */
const withLargeText = (variant: RequestVariant): RequestVariant => ({
  ...variant,
  title: `${variant.title}, with a large text`,
  toCall: (call) => ({ ...call, body: { ...Object(call.body), message: 'x'.repeat(2000) } }),
});

export const getRequestVariants = (row: Operation): RequestVariant[] => [
  withoutHeaders,
  ...(row.errors.includes('precondition_failed') ? [withIfMatch(row)] : []),
  ...(row.repeatable ? [withIdempotencyKey] : []),
  ...(row === sendMessage ? [withoutHeaders, withIdempotencyKey].map(withLargeText) : []),
  ...(row === updateMessage ? [withLargeText(withoutHeaders)] : []),
];
