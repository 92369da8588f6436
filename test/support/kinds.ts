import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import type { Call } from './event.ts';
import { request } from './handlers.ts';

/** A kind of request: with a header that makes a difference to the operation, or without. */
export interface Kind {
  title: string;
  headersFor: (call: Call) => Promise<Record<string, string>>;
  /** It happens once, however often it is made. */
  isOnce?: true;
}

const rows: readonly Operation[] = operations;

const plain: Kind = { title: '', headersFor: async () => ({}) };

const once: Kind = {
  title: ', with an Idempotency-Key',
  headersFor: async () => ({ 'Idempotency-Key': 'once' }),
  isOnce: true,
};

/** With the tag that retrieving the same thing gives. */
const asSeen = ({ path }: Operation): Kind => ({
  title: ', with If-Match',
  headersFor: async ({ as, path: ids = {} }) => {
    const retrieve = rows.find((row) => row.method === 'GET' && row.path === path);
    const reply = retrieve && (await request(retrieve, { as, path: ids }));
    return { 'If-Match': reply?.headers.ETag ?? 'none' };
  },
});

/** The kinds that the row knows. */
export const kindsOf = (row: Operation): Kind[] => [
  plain,
  ...(row.errors.includes('precondition_failed') ? [asSeen(row)] : []),
  ...(row.repeatable ? [once] : []),
];
