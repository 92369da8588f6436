import * as v from 'valibot';
import { OutsideId } from '../../shared/contract/values.ts';
import { kind } from '../command/kinds.ts';
import { Problem } from '../problem.ts';

/** An id of a contact, as the API takes it; a user of a pool is called likewise. */
export const contactId = kind(outsideId);

/** Ids of groups, with commas between. */
export const groups = kind((list) => list.split(',').map(outsideId));

function outsideId(text: string): string {
  const parsed = v.safeParse(OutsideId, text);
  if (parsed.success) return parsed.output;
  throw new Problem(`'${text}' ${parsed.issues[0].message}.`);
}
