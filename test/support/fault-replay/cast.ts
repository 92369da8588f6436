import type { Caller } from '../../../shared/caller.ts';
import { examples } from '../../../shared/contract/examples.ts';
import { person } from '../handlers/callers.ts';

/** Who plays Ann and Bob of the examples' story. */
export interface Cast {
  ann: Caller;
  bob: Caller;
  /** A text that speaks of Ann and Bob, speaking of these. */
  toCastText: (text: string) => string;
  /** And the other way round. */
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

/** People whom no function remembers to have met: their ids have a number of their own. */
export function newCast(): Cast {
  casts += 1;
  const number = casts;
  return {
    ann: { ...ann, id: `ann${number}` },
    bob: { ...bob, id: `bob${number}` },
    // Not the names of their pictures.
    toCastText: (text) => text.replace(/\b(ann|bob)\b(?!\.)/g, `$1${number}`),
    toExampleText: (text) => text.replace(/\b(ann|bob)\d+\b/g, '$1'),
  };
}
