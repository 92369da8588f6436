import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';
import type { Call } from '../handlers/gateway-event.ts';
import { request } from '../handlers/invoke-handler.ts';

/** A kind of request: with a header that makes a difference to the operation, or without. */
export interface RequestVariant {
  title: string;
  headersFor: (call: Call) => Promise<Record<string, string>>;
  /** It happens once, however often it is made. */
  isOnce?: true;
}

const rows: readonly Operation[] = operations;

const withoutHeaders: RequestVariant = { title: '', headersFor: async () => ({}) };

const withIdempotencyKey: RequestVariant = {
  title: ', with an Idempotency-Key',
  headersFor: async () => ({ 'Idempotency-Key': 'once' }),
  isOnce: true,
};

/** With the tag that retrieving the same thing gives. */
const withIfMatch = ({ path }: Operation): RequestVariant => ({
  title: ', with If-Match',
  headersFor: async ({ as, path: ids = {} }) => {
    const retrieve = rows.find((row) => row.method === 'GET' && row.path === path);
    const reply = retrieve && (await request(retrieve, { as, path: ids }));
    return { 'If-Match': reply?.headers.ETag ?? 'none' };
  },
});

/** The kinds that the row knows. */
export const getRequestVariants = (row: Operation): RequestVariant[] => [
  withoutHeaders,
  ...(row.errors.includes('precondition_failed') ? [withIfMatch(row)] : []),
  ...(row.repeatable ? [withIdempotencyKey] : []),
];
