import type { Contact } from '../../../shared/contract/resources/contact.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';

/** Maximum milliseconds from a contact's first write until other callers receive the profile. */
const maxProfileDelayMilliseconds = 31_000;

/** Returns a contact's username. In the soak test, profiles have no other fields. */
export const toUsername = (id: string): string => id.toUpperCase();

export function isPossibleContact(
  { writers }: Model,
  { startedAt }: Exchange,
  id: string,
  shown: Contact,
): boolean {
  const { phone_number, avatar_url, username } = shown;
  if (shown.id !== id || phone_number !== null || avatar_url !== null) return false;
  const firstWrote = writers.get(id) ?? Number.POSITIVE_INFINITY;
  const mayBeStranger = startedAt < firstWrote + maxProfileDelayMilliseconds;
  return username === toUsername(id) || (username === null && mayBeStranger);
}
