import type { Issuer } from '../../../local-cloud/issuer.ts';
import type { Ask } from '../client.ts';
import type { Who } from '../exchange.ts';
import { usernameOf } from '../judge/contact.ts';
import type { Model } from '../model/model.ts';
import type { Random } from '../random.ts';

export const groupNames = ['team', 'club', 'crew', 'band'] as const;

/** Who takes part in the soak; the token is exchanged for another when they join or leave a group. */
export interface Person {
  who: Who;
}

/** All that somebody who does something needs. */
export interface Session {
  person: Person;
  people: readonly Person[];
  model: Model;
  ask: Ask;
  random: Random;
  /** A text that nobody has written before. */
  newText(): string;
  tokenFor(id: string, groups: readonly string[]): Promise<Who>;
  /** Some time to think, shorter when it is time to stop. */
  think(milliseconds: number): Promise<void>;
  stopping: AbortSignal;
}

export const tokenMaker =
  ({ token }: Issuer): Session['tokenFor'] =>
  async (id, groups) => {
    const username = usernameOf(id);
    return { id, username, groups, token: await token(id, { groups, username }) };
  };

const names = ['ann', 'bob', 'carl', 'dora', 'emil', 'fay', 'gus', 'hana', 'ivo', 'jane'];

/** ann, bob, … jane, ann-2, bob-2, …; each in about half of the groups. */
export async function makePeople(
  count: number,
  random: Random,
  tokenFor: Session['tokenFor'],
): Promise<Person[]> {
  const people: Person[] = [];
  for (let n = 0; n < count; n++) {
    const round = Math.floor(n / names.length);
    const id = `${names[n % names.length]}${round > 0 ? `-${round + 1}` : ''}`;
    const groups = groupNames.filter(() => random.happens(0.5));
    people.push({ who: await tokenFor(id, groups) });
  }
  return people;
}
