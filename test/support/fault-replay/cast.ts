import type { Caller } from '../../../shared/caller.ts';
import { examples } from '../../../shared/contract/examples.ts';
import { person } from '../people/callers.ts';

/** The people who replace the examples' Ann and Bob in a replay. */
export interface Cast {
  ann: Caller;
  bob: Caller;
  /** Replaces the ids of Ann and Bob in a text with the cast's ids. */
  toCastText: (text: string) => string;
  toExampleText: (text: string) => string;
}

const { username, phone_number, avatar_url } = examples['messages/send'].reply.contact;
const ann = person('ann', { username, phone_number, avatar_url });
const bob = person('bob');

export const firstCast: Cast = {
  ann,
  bob,
  toCastText: (text) => text,
  toExampleText: (text) => text,
};

let casts = 0;

/** Creates people with unique ids, so that no function has cached them. */
export function newCast(): Cast {
  casts += 1;
  const number = casts;
  return {
    ann: { ...ann, id: `ann${number}` },
    bob: { ...bob, id: `bob${number}` },
    // A name followed by a dot stays unchanged, for example in a picture's URL.
    toCastText: (text) => text.replace(/\b(ann|bob)\b(?!\.)/g, `$1${number}`),
    toExampleText: (text) => text.replace(/\b(ann|bob)\d+\b/g, '$1'),
  };
}
