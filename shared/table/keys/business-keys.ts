import type { Key } from './keys.ts';
import { businessSortPrefix, indexes, tableKey } from './names.ts';

/** Returns a business's key. All businesses share one partition, sorted by public id. */
export const businessKey = (publicId: string): Key => ({
  pk: 'BUSINESS',
  sk: `${businessSortPrefix}${publicId}`,
});

/** The gsi1 partition of active businesses, with the same sort keys as in the table. */
export const activeBusinessPartition = 'BUSINESS#ACTIVE';

/**
 * Returns the key of a search entry by industry or, with an empty public id, a query prefix. The
 * normalized text contains no `#`.
 */
export const businessIndustryKey = (industry: string, publicId: string): Key => ({
  pk: `BUSINESS_INDUSTRY#${industry}`,
  sk: publicId,
});
/**
 * Returns the key of a search entry by title or, without a public id, a query prefix. Endings with
 * the same first character share a partition.
 */
export const businessTitleKey = (ending: string, publicId?: string): Key => ({
  pk: `BUSINESS_TITLE#${[...ending][0] ?? ''}`,
  sk: withPublicId(ending, publicId),
});
/**
 * Returns the key of a search entry by location or, without a public id, a query prefix. Each of
 * the 1,536 five-digit cells has its own partition.
 */
export const businessCellKey = (cell: string, publicId?: string): Key => ({
  pk: `BUSINESS_CELL#${cell.slice(0, businessCellDigits)}`,
  sk: withPublicId(cell, publicId),
});
export const businessCellDigits = 5;
const withPublicId = (sort: string, publicId: string | undefined) =>
  publicId === undefined ? sort : `${sort}#${publicId}`;

/** Splits a search entry's sort key into its parts. */
export function parseBusinessEntry({ [tableKey.sort]: sk }: Record<string, unknown>) {
  const [sort = '', publicId = sort] = String(sk).split('#');
  return { sort, publicId };
}

/**
 * Returns the gsi1 keys of an active business's search entry. The gsi1 keys equal the entry's table
 * keys, so gsi1 and the table have the same order.
 */
export const toActiveKeys = ({ pk, sk }: Key) => ({
  [indexes.gsi1.partition]: pk,
  [indexes.gsi1.sort]: sk,
});

export const toActiveBusinessKeys = (publicId: string) => ({
  [indexes.gsi1.partition]: activeBusinessPartition,
  [indexes.gsi1.sort]: businessKey(publicId).sk,
});
