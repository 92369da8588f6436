import { quoted } from '../contract/characters.ts';
import { ApiError } from '../errors.ts';

/** What a form can say, brackets taken apart: texts, `[]` lists, and names with values. */
export type FormValue = string | FormValue[] | FormFields;
export type FormFields = Map<string, FormValue>;

/**
 * Throws `body_malformed` when the percent signs of a form spell bytes that are no UTF-8: its parser would put U+FFFD in
 * their place. A `%` that begins no byte is itself, as in browsers.
 */
export function checkEncoding(form: string): void {
  try {
    for (const [bytes] of form.matchAll(/(?:%[\da-f]{2})+/gi)) decodeURIComponent(bytes);
  } catch {
    throw new ApiError('body_malformed', { message: 'The form has bytes that are no UTF-8.' });
  }
}

const keyPattern = /^([^[\]]+|(?=$))((?:\[[^[\]]*\])*)$/;

/**
 * Nests a form's fields by the brackets of their names: `a[b]=1` is a field b of a, `a[]=1` an item of the list a, and a
 * lone `a[]=` the empty list. Whether `a[0]` is an item or a field named 0 is for the schema to say (see coerce.ts). Maps
 * and not objects, so that no name is special. Throws `body_malformed` when a name is used in two ways, has brackets that
 * do not nest so, or too many of them: a name may be as long as the body, and must not be followed to its end.
 */
export function nestForm(
  flat: Record<string, string | string[] | undefined>,
  maxDepth: number,
): FormFields {
  const fields: FormFields = new Map();
  for (const [key, value = ''] of Object.entries(flat)) {
    put(fields, pathOf(key, maxDepth), value, key);
  }
  return fields;
}

/** `a[b][]` is a, b and the empty name. A field may have the empty name itself, as in JSON. */
function pathOf(key: string, maxDepth: number): string[] {
  const [, root, brackets = ''] = keyPattern.exec(key) ?? [];
  if (root === undefined) throw wrongBrackets(key);
  const names = Array.from(brackets.matchAll(/\[([^[\]]*)\]/g), ([, name = '']) => name);
  if (names.length > maxDepth) throw tooDeep(maxDepth);
  return [root, ...names];
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
  new ApiError('body_malformed', { message: `The form uses ${shown(key)} in two ways.` });

const wrongBrackets = (key: string) =>
  new ApiError('body_malformed', {
    message: `The form has a field ${shown(key)}: its brackets do not nest as in 'a[b][]'.`,
  });

const maxShown = 100;
const shown = (key: string) => quoted(key.length > maxShown ? `${key.slice(0, maxShown)}…` : key);
