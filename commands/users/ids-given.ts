import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { ExternalId } from '../../shared/contract/schema/field-types.ts';

/** Ids of groups, with commas between. */
export const groupsIn = (list: string): string[] => list.split(',').map(contactIdIn);

/** An id as the API takes it: of a contact, a group, or a user of a pool. Throws a Problem for anything else. */
export function contactIdIn(text: string): string {
  const parsed = v.safeParse(ExternalId, text);
  if (parsed.success) return parsed.output;
  throw new Problem(`'${text}' ${parsed.issues[0].message}.`);
}
