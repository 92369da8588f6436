import { demoPeople } from '../../../demo/people.ts';

/** A user's token claims. */
export interface Identity {
  id: string;
  username: string;
  groups: readonly string[];
  phoneNumber: string | undefined;
}

export const knownIdentities: readonly Identity[] = Object.entries(demoPeople).map(
  ([id, { username, groups, phone_number }]) => ({
    id,
    username,
    groups,
    phoneNumber: phone_number,
  }),
);

export const knownGroups: readonly string[] = [
  ...new Set(knownIdentities.flatMap(({ groups }) => groups)),
];

/** Returns the demo user with the id, or a user named after the id. */
export const findIdentity = (id: string): Identity =>
  knownIdentities.find((one) => one.id === id) ?? {
    id,
    username: id,
    groups: [],
    phoneNumber: undefined,
  };
