import type { JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';

const Variant = v.object({
  key: v.string(),
  options: v.array(
    v.looseObject({
      entries: v.record(v.string(), v.looseObject({ options: v.optional(v.unknown()) })),
    }),
  ),
});
const Words = v.array(v.string());

/**
 * Adds a discriminator that maps the values of a variant's key to the options, if all options are
 * named schemas. Generators for typed languages require the discriminator.
 */
export function withDiscriminator(json: JsonSchema, schema: object): JsonSchema {
  const references = (json.oneOf ?? []).flatMap((option) =>
    typeof option === 'object' && option.$ref ? [option.$ref] : [],
  );
  const { key, options } = v.parse(Variant, schema);
  if (references.length < options.length) return json;
  const mapping = options.flatMap(({ entries }, n) =>
    v.parse(Words, entries[key]?.options).map((value) => [value, references[n]]),
  );
  return Object.assign(json, {
    discriminator: { propertyName: key, mapping: Object.fromEntries(mapping) },
  });
}
