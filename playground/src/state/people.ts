import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Side } from '../network/traffic.ts';
import { openFirstChat } from './first-chat.ts';
import { findIdentity, type Identity } from './identity.ts';
import { createPerson, type Person } from './person.ts';

const defaultIds: Record<Side, string> = { left: 'ann', right: 'bob' };

/** The user on each side, from the URL's fragment. Default: Ann and Bob. */
export const people: Readonly<Record<Side, Signal<Person>>> = {
  left: signal(createPerson('left', readIdentityFromHash('left'))),
  right: signal(createPerson('right', readIdentityFromHash('right'))),
};

export const sides: readonly Side[] = ['left', 'right'];

/** Conversation or list that each side shows, as in the URL's fragment; null for the default. */
const openChats: Readonly<Record<Side, Signal<ReadonlySignal<string | null>>>> = {
  left: signal(openFirstChat(people.left.peek(), getOtherId('left'), readFromHash('left_open'))),
  right: signal(
    openFirstChat(people.right.peek(), getOtherId('right'), readFromHash('right_open')),
  ),
};

export function replacePerson(side: Side, identity: Identity): void {
  people[side].peek().close();
  const person = createPerson(side, identity);
  people[side].value = person;
  openChats[side].value = openFirstChat(person, getOtherId(side), null);
}

function getOtherId(side: Side): string {
  return people[side === 'left' ? 'right' : 'left'].peek().identity.id;
}

function readFromHash(name: string): string | null {
  return new URLSearchParams(location.hash.slice(1)).get(name);
}

function readIdentityFromHash(side: Side): Identity {
  const identity = findIdentity(readFromHash(side) ?? defaultIds[side]);
  const groups = readFromHash(`${side}_groups`);
  return {
    ...identity,
    username: readFromHash(`${side}_name`) ?? identity.username,
    ...(groups !== null && { groups: groups.split(',').filter(Boolean) }),
  };
}

// A reload restores both users and their open conversations from the URL.
effect(() => {
  const fields = sides.flatMap((side): [string, string][] => {
    const { identity } = people[side].value;
    const defaultIdentity = findIdentity(identity.id);
    const groups = identity.groups.join(',');
    const open = openChats[side].value.value;
    const params: readonly (readonly [name: string, value: string, isDefault: boolean])[] = [
      [side, identity.id, identity.id === defaultIds[side]],
      [`${side}_name`, identity.username, identity.username === defaultIdentity.username],
      [`${side}_groups`, groups, groups === defaultIdentity.groups.join(',')],
      [`${side}_open`, open ?? '', open === null],
    ];
    return params.flatMap(([name, value, isDefault]): [string, string][] =>
      isDefault ? [] : [[name, value]],
    );
  });
  const hash = fields.length > 0 ? `#${new URLSearchParams(fields)}` : location.pathname;
  history.replaceState(null, '', hash);
});
