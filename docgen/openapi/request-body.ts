import type { JsonSchema } from '@valibot/to-json-schema';
import { type GenericSchema, is } from 'valibot';
import type { MediaType, RequestBody } from './openapi-types.ts';
import { convertSchema, getFields, resolveReference } from './schemas.ts';

const conventions = [
  'JSON, or a form that means the same. In a form brackets nest: `attachments[0][name]=a.png` is a field of the first attachment, `names[]=a` an item of a list, `names[]=` alone an empty list;',
  'numbers, `true` and `false` are read as such where the field is one, and an empty value is null where the field may be null.',
  'A form written by a generator may spell lists in another way: JSON is then the safer choice.',
].join(' ');

/** The body that an operation takes: one schema and one example for both content types. */
export function toRequestBody(schema: GenericSchema, example: unknown): RequestBody {
  const json = convertSchema(schema);
  const media: MediaType = { schema: json, example };
  return {
    description: conventions,
    required: !is(schema, {}),
    content: {
      'application/json': media,
      'application/x-www-form-urlencoded': { ...media, ...encodingOf(json) },
    },
  };
}

/** Fields that nest are written with brackets; deepObject is OpenAPI's nearest word for it. */
function encodingOf(json: JsonSchema): Pick<MediaType, 'encoding'> {
  const nested = getFields(json)
    .filter(([, field]) => nests(field))
    .map(([name]) => [name, { style: 'deepObject', explode: true }] as const);
  return nested.length > 0 ? { encoding: Object.fromEntries(nested) } : {};
}

function nests(json: JsonSchema): boolean {
  const { type, anyOf = [] } = resolveReference(json);
  const types = [type].flat();
  return (
    types.includes('object') ||
    types.includes('array') ||
    anyOf.some((option) => typeof option === 'object' && nests(option))
  );
}
