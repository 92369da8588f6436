import { ApiError } from '../../api-error.ts';
import { quoteText } from '../../contract/schema/characters.ts';

export type FormValue = string | FormValue[] | FormFields;
export type FormFields = Map<string, FormValue>;

/** Throws `body_malformed` if percent-encoded bytes are not valid UTF-8. */
export function checkEncoding(form: string): void {
  try {
    for (const [bytes] of form.matchAll(/(?:%[\da-f]{2})+/gi)) decodeURIComponent(bytes);
  } catch {
    throw malformed('The form contains bytes that are not valid UTF-8.');
  }
}

const keyPattern = /^([^[\]]+|(?=$))((?:\[[^[\]]*\])*)$/;

/**
 * Nests form fields by brackets: `a[b]=1` is field b of a, `a[]=1` an item of list a, and a single
 * `a[]=` the empty list. The schema decides whether `a[0]` is a list item (coerce.ts). Returns
 * maps, in which no field name is special. Throws `body_malformed`.
 */
export function nestForm(
  flat: Record<string, string | string[] | undefined>,
  maxDepth: number,
): FormFields {
  const fields: FormFields = new Map();
  for (const [key, value = ''] of Object.entries(flat)) {
    setField(fields, parseFieldName(key, maxDepth), value, key);
  }
  return fields;
}

/** Splits `a[b][]` into a, b and the empty name. As in JSON, a field name may be empty. */
function parseFieldName(key: string, maxDepth: number): string[] {
  const [, root, brackets = ''] = keyPattern.exec(key) ?? [];
  if (root === undefined) throw malformedBrackets(key);
  const names = Array.from(brackets.matchAll(/\[([^[\]]*)\]/g), ([, name = '']) => name);
  if (names.length >= maxDepth) throw tooDeep(maxDepth);
  return [root, ...names];
}

function setField(fields: FormFields, path: string[], value: string | string[], key: string): void {
  const [name = '', next, ...rest] = path;
  if (next === undefined) {
    if (fields.has(name)) throw conflictingUse(key);
    fields.set(name, value);
  } else if (next === '' && rest.length === 0) {
    const list = fields.get(name) ?? [];
    if (!Array.isArray(list)) throw conflictingUse(key);
    fields.set(name, list.concat([value].flat().filter((item) => item !== '')));
  } else {
    const inner = fields.get(name) ?? new Map();
    if (!(inner instanceof Map)) throw conflictingUse(key);
    fields.set(name, inner);
    setField(inner, [next, ...rest], value, key);
  }
}

export const malformed = (message: string) => new ApiError('body_malformed', { message });

export const tooDeep = (maxDepth: number) =>
  malformed(`The body must nest at most ${maxDepth} levels deep.`);

const conflictingUse = (key: string) =>
  malformed(`The form uses ${shortenKey(key)} in conflicting ways.`);

const malformedBrackets = (key: string) =>
  malformed(`The form field ${shortenKey(key)} is malformed: brackets must nest as in 'a[b][]'.`);

const maxShown = 100;
const shortenKey = (key: string) =>
  quoteText(key.length > maxShown ? `${key.slice(0, maxShown)}…` : key);
