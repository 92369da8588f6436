import type { JsonSchema } from '@valibot/to-json-schema';
import { type GenericSchema, is } from 'valibot';
import type { MediaType, RequestBody } from './openapi-types.ts';
import { convertSchema, getFields, resolveReference } from './schemas.ts';

const conventions = [
  'JSON, or an equivalent form. Form fields nest with brackets: `attachments[0][name]=a.png` is a field of the first attachment, `names[]=a` is a list item, and `names[]=` alone is an empty list.',
  'Numbers, `true` and `false` are parsed according to the type of the field. An empty value is null if the field is nullable.',
  'If you use a generated client, send JSON, because the client may encode lists in form bodies differently.',
].join(' ');

export function toRequestBody(schema: GenericSchema, example: unknown): RequestBody {
  const json = convertSchema(schema);
  const media: MediaType = { schema: json, example };
  return {
    description: conventions,
    required: !is(schema, {}),
    content: {
      'application/json': media,
      'application/x-www-form-urlencoded': { ...media, ...getEncoding(json) },
    },
  };
}

/**
 * Returns the encoding of nested fields. Of OpenAPI's styles, `deepObject` is closest to the API's
 * bracket syntax.
 */
function getEncoding(json: JsonSchema): Pick<MediaType, 'encoding'> {
  const nested = getFields(json)
    .filter(([, field]) => isNested(field))
    .map(([name]) => [name, { style: 'deepObject', explode: true }] as const);
  return nested.length > 0 ? { encoding: Object.fromEntries(nested) } : {};
}

function isNested(json: JsonSchema): boolean {
  const { type, anyOf = [] } = resolveReference(json);
  const types = [type].flat();
  return (
    types.includes('object') ||
    types.includes('array') ||
    anyOf.some((option) => typeof option === 'object' && isNested(option))
  );
}
