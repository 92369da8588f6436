import type { BusinessRecord } from '../../../contract/business/business.ts';
import type { Item } from '../../calls/access.ts';
import {
  businessCellKey,
  businessIndustryKey,
  businessTitleKey,
  type Key,
  toActiveKeys,
} from '../../keys/keys.ts';
import { toCellKey } from './cells.ts';
import { normalizeText, toTitleEndings } from './search-text.ts';

/**
 * Returns the items by which searches find a listing: one for its industry, one for its location,
 * and one for each word of its title. They contain keys only, so a listing is changed without them.
 */
export function toSearchEntries(record: BusinessRecord): (Item & Key)[] {
  const { public_id: id, title, industry, latitude, longitude, status } = record;
  const normalizedIndustry = normalizeText(industry ?? '');
  const keys = [
    ...(normalizedIndustry ? [businessIndustryKey(normalizedIndustry, id)] : []),
    ...toTitleEndings(title ?? '').map((ending) => businessTitleKey(ending, id)),
    ...(latitude === null || longitude === null
      ? []
      : [businessCellKey(toCellKey({ latitude, longitude }), id)]),
  ];
  return keys.map((key) => ({ ...key, ...(status === 'active' && toActiveKeys(key)) }));
}
