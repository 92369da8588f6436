import { effect, type Signal, signal } from '@preact/signals';
import type { Side } from '../network/traffic.ts';
import { findIdentity, type Identity } from './identity.ts';
import { createPerson, type Person } from './person.ts';

const defaultIds: Record<Side, string> = { left: 'ann', right: 'bob' };

/** The user on each side: from the URL's fragment, else Ann and Bob. */
export const people: Readonly<Record<Side, Signal<Person>>> = {
  left: signal(createPerson('left', readIdentityFromHash('left'))),
  right: signal(createPerson('right', readIdentityFromHash('right'))),
};

export const sides: readonly Side[] = ['left', 'right'];

/** Replaces the user on a side. */
export function replacePerson(side: Side, identity: Identity): void {
  people[side].peek().close();
  people[side].value = createPerson(side, identity);
}

function readIdentityFromHash(side: Side): Identity {
  const given = new URLSearchParams(location.hash.slice(1));
  const identity = findIdentity(given.get(side) ?? defaultIds[side]);
  const groups = given.get(`${side}_groups`);
  return {
    ...identity,
    username: given.get(`${side}_name`) ?? identity.username,
    ...(groups !== null && { groups: groups.split(',').filter(Boolean) }),
  };
}

// Keeps both users after a reload.
effect(() => {
  const fields = sides.flatMap((side): [string, string][] => {
    const { identity } = people[side].value;
    const usual = findIdentity(identity.id);
    const groups = identity.groups.join(',');
    return [
      ...(identity.id === defaultIds[side]
        ? []
        : ([[side, identity.id]] satisfies [string, string][])),
      ...(identity.username === usual.username
        ? []
        : ([[`${side}_name`, identity.username]] satisfies [string, string][])),
      ...(groups === usual.groups.join(',')
        ? []
        : ([[`${side}_groups`, groups]] satisfies [string, string][])),
    ];
  });
  const hash = fields.length > 0 ? `#${new URLSearchParams(fields)}` : location.pathname;
  history.replaceState(null, '', hash);
});
