import * as v from 'valibot';
import { integer, text } from '../schema/field-types.ts';

const nearRule = 'must be latitude and longitude in degrees, such as 52.52,13.405';

/** A location, as `latitude,longitude`. */
const Near = v.pipe(
  v.string(nearRule),
  v.regex(/^-?\d{1,2}(\.\d{1,15})?,-?\d{1,3}(\.\d{1,15})?$/, nearRule),
  v.transform((value) => {
    const [latitude = 0, longitude = 0] = value.split(',').map(Number);
    return { latitude, longitude };
  }),
  v.check(
    ({ latitude, longitude }) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180,
    nearRule,
  ),
);

const maxRadius = 100_000;
/** Default radius in meters. */
export const defaultRadius = 10_000;
const maxCharacters = 100;
const searchText = v.pipe(
  text(1, maxCharacters),
  v.check((value) => /[\p{L}\p{N}]/u.test(value), 'must contain a letter or a digit'),
);

/** Query parameters of the business search. */
export const search = {
  near: v.optional(
    v.pipe(
      Near,
      v.description(
        'Only listings near this `latitude,longitude`, nearest first. Not allowed with `industry` or `q`.',
      ),
    ),
  ),
  radius: v.optional(
    v.pipe(
      integer(1, maxRadius),
      v.description(`Maximum distance from \`near\` in meters. Default: ${defaultRadius}.`),
    ),
  ),
  industry: v.optional(
    v.pipe(
      searchText,
      v.description(
        'Only listings of this `industry`. Ignores case, accents and punctuation. Not allowed with `q`.',
      ),
    ),
  ),
  q: v.optional(
    v.pipe(
      searchText,
      v.description(
        'Only listings whose `title` contains these words consecutively. Ignores case, accents and punctuation. The last word may be incomplete. Sorted by the text of the title from the first of these words onward.',
      ),
    ),
  ),
};

type SearchQuery = { near?: object | undefined; radius?: number | undefined } & {
  industry?: string | undefined;
  q?: string | undefined;
};

/** Creates a check that rejects combined searches, and `radius` without `near`. */
export const checkSearchConflicts = <Query extends SearchQuery>() =>
  v.rawCheck<Query>(({ dataset, addIssue }) => {
    const query: SearchQuery = dataset.typed ? dataset.value : {};
    const [key, message] = findConflict(query) ?? [];
    if (!key || !message) return;
    const path = { type: 'object', origin: 'value', input: query, key, value: query[key] } as const;
    addIssue({ message, path: [path] });
  });

function findConflict({ near, radius, industry, q }: SearchQuery) {
  if (radius !== undefined && !near) return ['radius', 'must be combined with near'] as const;
  if (industry && near) return ['industry', 'must not be combined with near'] as const;
  if (q && (near || industry)) return ['q', 'must not be combined with near or industry'] as const;
  return undefined;
}
