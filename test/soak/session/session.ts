import type { Issuer } from '../../../local-cloud/issuer.ts';
import { toUsername } from '../checks/possible-contact.ts';
import type { SendRequest } from '../client/api-client.ts';
import type { Random } from '../client/seeded-random.ts';
import type { Caller } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';

export const groupNames = ['team', 'club', 'crew', 'band'] as const;

/**
 * Contacts that users block. These contacts have no session, and are so few that one page lists
 * all blocks.
 */
export const strangerIds = [1, 2, 3, 4, 5].map((n) => `stranger-${n}`);

/** A user. When the user joins or leaves a group, a new token replaces `caller`. */
export interface Person {
  caller: Caller;
}

export interface Session {
  person: Person;
  people: readonly Person[];
  model: Model;
  sendRequest: SendRequest;
  random: Random;
  newText(): string;
  tokenFor(id: string, groups: readonly string[]): Promise<Caller>;
  /** Waits like a user between actions. The wait ends early when the traffic stops. */
  think(milliseconds: number): Promise<void>;
  stopping: AbortSignal;
}

export const createTokenSource =
  ({ token }: Issuer): Session['tokenFor'] =>
  async (id, groups) => {
    const username = toUsername(id);
    return { id, username, groups, token: await token(id, { groups, username }) };
  };

const names = ['ann', 'bob', 'carl', 'dora', 'emil', 'fay', 'gus', 'hana', 'ivo', 'jane'];

/** Creates people with the ids ann, bob, …, ann-2, …, each in about half of the groups. */
export async function createPeople(
  count: number,
  random: Random,
  tokenFor: Session['tokenFor'],
): Promise<Person[]> {
  const people: Person[] = [];
  for (let n = 0; n < count; n++) {
    const round = Math.floor(n / names.length);
    const id = `${names[n % names.length]}${round > 0 ? `-${round + 1}` : ''}`;
    const groups = groupNames.filter(() => random.chance(0.5));
    people.push({ caller: await tokenFor(id, groups) });
  }
  return people;
}
