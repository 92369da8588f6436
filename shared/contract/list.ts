import * as v from 'valibot';
import { Id, integer } from './values.ts';

const afterDescription = 'Id of an item: continue after it, in the order of the list.';
const beforeDescription = 'Id of an item: the page just before it, in the order of the list.';

/**
 * What a list's reply holds at most, in bytes, unless it is one item alone; a page that would be
 * larger ends before.
 */
export const maxReplyBytes = 5_000_000;

/** The paging parameters. A list that is read in one direction alone takes the first two. */
export const pageParameters = {
  limit: v.optional(
    v.pipe(
      integer(1, 100),
      v.description(
        'Items a page; fewer, but one at least, where the list ends, or where so many would be too much to read or to hold. `has_more` tells.',
      ),
    ),
    10,
  ),
  starting_after: v.optional(v.pipe(Id, v.description(afterDescription))),
  ending_before: v.optional(v.pipe(Id, v.description(beforeDescription))),
};

/** A list's query: the paging parameters and the list's own filters. */
export const listQuery = <Filters extends v.ObjectEntries>(filters: Filters) =>
  v.pipe(
    v.object({ ...filters, ...pageParameters }),
    v.rawCheck(({ dataset, addIssue }) => {
      const query: Partial<PageParameters> = dataset.typed ? dataset.value : {};
      if (query.starting_after === undefined || query.ending_before === undefined) return;
      addIssue({
        message: 'must not be combined with starting_after',
        path: [
          {
            type: 'object',
            origin: 'value',
            input: query,
            key: 'ending_before',
            value: query.ending_before,
          },
        ],
      });
    }),
  );

export type PageParameters = v.InferOutput<v.ObjectSchema<typeof pageParameters, undefined>>;

export const listOf = <Item extends v.GenericSchema>(item: Item) =>
  v.strictObject({ has_more: v.boolean(), data: v.array(item) });

/**
 * One page of a list. `has_more` is exact, in the direction of travel. `first` and `last` are the
 * cursors of the page's ends, absent when it is empty.
 */
export interface Page<Item> {
  data: Item[];
  has_more: boolean;
  first?: string;
  last?: string;
}
