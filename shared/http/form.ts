import { ApiError } from '../errors.ts';

/** What a form can say, brackets taken apart: texts, `[]` lists, and names with values. */
export type FormValue = string | FormValue[] | FormFields;
export type FormFields = Map<string, FormValue>;

const keyPattern = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/**
 * Nests a flat form by the brackets of its names: `a[b]=1` is a field b of a, `a[]=1` an item of the list a, and a lone
 * `a[]=` the empty list. Whether `a[0]` is an item or a field named 0 is for the schema to say (see coerce.ts). Maps and
 * not objects, so that no name is special. Throws `body_malformed` when a name is used in two ways, or has too many brackets:
 * a name may be as long as the body, and must not be followed to its end.
 */
export function nestForm(
  flat: Record<string, string | string[] | undefined>,
  maxDepth: number,
): FormFields {
  const fields: FormFields = new Map();
  for (const [key, value = ''] of Object.entries(flat)) {
    const [, root = key, brackets = ''] = keyPattern.exec(key) ?? [];
    const names = Array.from(brackets.matchAll(/\[([^[\]]*)\]/g), ([, name = '']) => name);
    if (names.length > maxDepth) throw tooDeep(maxDepth);
    put(fields, [root, ...names], value, key);
  }
  return fields;
}

function put(fields: FormFields, path: string[], value: string | string[], key: string): void {
  const [name = '', next, ...rest] = path;
  if (next === undefined) {
    if (fields.has(name)) throw twoWays(key);
    fields.set(name, value);
  } else if (next === '' && rest.length === 0) {
    const list = fields.get(name) ?? [];
    if (!Array.isArray(list)) throw twoWays(key);
    fields.set(name, list.concat([value].flat().filter((item) => item !== '')));
  } else {
    const inner = fields.get(name) ?? new Map();
    if (!(inner instanceof Map)) throw twoWays(key);
    fields.set(name, inner);
    put(inner, [next, ...rest], value, key);
  }
}

export const tooDeep = (maxDepth: number) =>
  new ApiError('body_malformed', { message: `The body nests deeper than ${maxDepth}.` });

const twoWays = (key: string) =>
  new ApiError('body_malformed', { message: `The form uses '${key}' in two ways.` });
