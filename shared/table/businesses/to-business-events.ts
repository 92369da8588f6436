import * as v from 'valibot';
import type { BusEntry } from '../../bus-event.ts';
import type { StreamChange } from '../../stream-change.ts';
import { businessSortPrefix, tableKey } from '../keys/names.ts';

const ListingImage = v.object({
  [tableKey.sort]: v.object({ S: v.pipe(v.string(), v.startsWith(businessSortPrefix)) }),
  public_id: v.object({ S: v.string() }),
});

/**
 * Converts changes to business listings into bus events. The time of the change serves as the
 * version, because an import changes a listing at most once.
 */
export const toBusinessEvents = (changes: readonly StreamChange[]): BusEntry[] =>
  changes.flatMap((change) => {
    const { before, after, at } = change;
    const { success, output } = v.safeParse(ListingImage, after);
    if (!success) return [];
    const business_id = output.public_id.S;
    return {
      event: {
        id: `${business_id}-${at}`,
        type: before ? 'business.updated' : 'business.created',
        version: at,
        created_at: at,
        business_id,
      },
      change,
    };
  });
