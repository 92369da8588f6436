import { demoPeople } from '../../../demo/people.ts';

/** Who somebody is, as their token says. */
export interface Identity {
  id: string;
  username: string;
  groups: readonly string[];
  phoneNumber: string | undefined;
}

/** People that the demo data knows. */
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

/** Who has that id: of the demo data, or with the id as their name. */
export const findIdentity = (id: string): Identity =>
  knownIdentities.find((one) => one.id === id) ?? {
    id,
    username: id,
    groups: [],
    phoneNumber: undefined,
  };
