import { effect, type Signal, signal } from '@preact/signals';
import { type Person, personOf } from './person.ts';
import type { Side } from './traffic.ts';
import { type Who, whoIs } from './who.ts';

const first: Record<Side, string> = { left: 'ann', right: 'bob' };

/** Who is on which side: what the address names after its `#`, else Ann and Bob. */
export const people: Readonly<Record<Side, Signal<Person>>> = {
  left: signal(personOf('left', named('left'))),
  right: signal(personOf('right', named('right'))),
};

export const sides: readonly Side[] = ['left', 'right'];

/** Somebody else takes that side. */
export function replacePerson(side: Side, who: Who): void {
  people[side].peek().close();
  people[side].value = personOf(side, who);
}

function named(side: Side): Who {
  const given = new URLSearchParams(location.hash.slice(1));
  const who = whoIs(given.get(side) ?? first[side]);
  const groups = given.get(`${side}_groups`);
  return {
    ...who,
    username: given.get(`${side}_name`) ?? who.username,
    ...(groups !== null && { groups: groups.split(',').filter(Boolean) }),
  };
}

// A page that is loaded again has the same two people.
effect(() => {
  const fields = sides.flatMap((side): [string, string][] => {
    const { who } = people[side].value;
    const usual = whoIs(who.id);
    const groups = who.groups.join(',');
    return [
      ...(who.id === first[side] ? [] : ([[side, who.id]] satisfies [string, string][])),
      ...(who.username === usual.username
        ? []
        : ([[`${side}_name`, who.username]] satisfies [string, string][])),
      ...(groups === usual.groups.join(',')
        ? []
        : ([[`${side}_groups`, groups]] satisfies [string, string][])),
    ];
  });
  const hash = fields.length > 0 ? `#${new URLSearchParams(fields)}` : location.pathname;
  history.replaceState(null, '', hash);
});
