import { demoPeople } from '../../../lib/users/demo-people.ts';

/** Who somebody is, as their token says. */
export interface Who {
  id: string;
  username: string;
  groups: readonly string[];
  phoneNumber: string | undefined;
}

/** People that the demo data knows. */
export const known: readonly Who[] = Object.entries(demoPeople).map(
  ([id, { username, groups, phone_number }]) => ({
    id,
    username,
    groups,
    phoneNumber: phone_number,
  }),
);

export const knownGroups: readonly string[] = [...new Set(known.flatMap(({ groups }) => groups))];

/** Who has that id: of the demo data, or with the id as their name. */
export const whoIs = (id: string): Who =>
  known.find((one) => one.id === id) ?? {
    id,
    username: id,
    groups: [],
    phoneNumber: undefined,
  };
