import * as v from 'valibot';
import { Id, integer } from './field-types.ts';

const afterDescription = 'Cursor: returns the page after the item with this id, in list order.';
const beforeDescription = 'Cursor: returns the page before the item with this id, in list order.';

/** Maximum size of a list reply in bytes. Only a reply with one item may be larger. */
export const maxReplyBytes = 5_000_000;

/** Paging parameters. A forward-only list accepts only `limit` and `starting_after`. */
export const pageParameters = {
  limit: v.optional(
    v.pipe(
      integer(1, 100),
      v.description(
        'Maximum items per page. A page may have fewer, for example at the end of the list or if the reply would be too large; see `has_more`.',
      ),
    ),
    10,
  ),
  starting_after: v.optional(v.pipe(Id, v.description(afterDescription))),
  ending_before: v.optional(v.pipe(Id, v.description(beforeDescription))),
};

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

export const listSchema = <Item extends v.GenericSchema>(item: Item) =>
  v.strictObject({ has_more: v.boolean(), data: v.array(item) });

/** A page of a list. `first` and `last` are the cursors for its `prev` and `next` links. */
export interface Page<Item> {
  data: Item[];
  has_more: boolean;
  first?: string;
  last?: string;
}
