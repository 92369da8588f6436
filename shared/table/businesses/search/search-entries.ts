import type { BusinessRecord } from '../../../contract/business/business.ts';
import type { Item } from '../../calls/access.ts';
import {
  businessCellKey,
  businessIndustryKey,
  businessTitleKey,
  toActiveKeys,
} from '../../keys/business-keys.ts';
import type { Key } from '../../keys/keys.ts';
import { toCellKey } from './cells.ts';
import { normalizeText, toTitleEndings } from './search-text.ts';

/** Number of leading characters shared with the title's preceding entry; absent if 0. */
export const repeatedAttribute = 'repeated';

/**
 * Returns the index entries of a listing: one for its industry, one for its location, and one or
 * more for each of the first 32 words of its title. The entries also depend on the status, but a
 * change to any other field does not rewrite them.
 */
export function toSearchEntries(record: BusinessRecord): (Item & Key)[] {
  const { public_id: id, title, industry, latitude, longitude, status } = record;
  const normalizedIndustry = normalizeText(industry ?? '');
  const entries: (Item & Key)[] = [
    ...(normalizedIndustry ? [businessIndustryKey(normalizedIndustry, id)] : []),
    ...toTitleEndings(title ?? '').map(({ text, repeated }) => ({
      ...businessTitleKey(text, id),
      ...(repeated > 0 && { [repeatedAttribute]: repeated }),
    })),
    ...(latitude === null || longitude === null
      ? []
      : [businessCellKey(toCellKey({ latitude, longitude }), id)]),
  ];
  return entries.map((entry) => ({ ...entry, ...(status === 'active' && toActiveKeys(entry)) }));
}

/**
 * Returns an entry with the lower `repeated` value of its two versions, so that searches find the
 * entry before and after a change. If the value is too low, a search reads the entry needlessly. If
 * the value is too high, a search misses the listing.
 */
export function withFewerRepeated(entry: Item & Key, before: Item): Item & Key {
  const { [repeatedAttribute]: repeated, ...others } = entry;
  const fewer = Math.min(Number(repeated ?? 0), Number(before[repeatedAttribute] ?? 0));
  return { ...others, ...(fewer > 0 && { [repeatedAttribute]: fewer }) };
}
