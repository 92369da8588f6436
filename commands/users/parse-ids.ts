import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { ExternalId } from '../../shared/contract/schema/field-types.ts';

export const parseGroupIds = (list: string): string[] => list.split(',').map(parseContactId);

/**
 * Returns the text if it is a valid contact id or group id; otherwise, throws a Problem. Names of
 * test users follow the same rule.
 */
export function parseContactId(text: string): string {
  const parsed = v.safeParse(ExternalId, text);
  if (parsed.success) return parsed.output;
  throw new Problem(`'${text}' ${parsed.issues[0].message}.`);
}
