import type { BusinessRecord } from '../../contract/business/business.ts';
import { getItem, lookUpItems } from '../calls/access.ts';
import { businessKey } from '../keys/business-keys.ts';
import { parseBusinessItem } from './business-item.ts';

export async function getBusiness(publicId: string): Promise<BusinessRecord | undefined> {
  const item = await getItem(businessKey(publicId));
  return item && parseBusinessItem(item);
}

/**
 * Returns a lookup of listings by public id. Reads up to 100 listings per call. Reads are
 * eventually consistent, so listings may be about a second old.
 */
export async function lookUpBusinesses(
  publicIds: readonly string[],
): Promise<(publicId: string) => BusinessRecord | undefined> {
  const findItem = await lookUpItems(publicIds.map(businessKey), { consistent: false });
  return (publicId) => {
    const item = findItem(businessKey(publicId));
    return item && parseBusinessItem(item);
  };
}
