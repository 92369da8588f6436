import {
  type CognitoIdentityProviderClient,
  paginateListGroups,
  paginateListUsersInGroup,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import * as v from 'valibot';

/** Somebody of a user pool, as a line of an export: all that Cognito tells. No password, as nobody can read those. */
export const Person = v.strictObject({
  /** The contact id: Cognito's `sub`, which no other pool can give. */
  id: v.string(),
  username: v.string(),
  /** All attributes but the `sub`. */
  attributes: v.record(v.string(), v.string()),
  groups: v.array(v.string()),
  enabled: v.boolean(),
  status: v.string(),
  /** In Unix seconds. */
  created_at: v.number(),
});
export type Person = v.InferOutput<typeof Person>;

/** The groups of everybody who is in one, by their usernames. */
export async function memberships(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for await (const { Groups = [] } of paginateListGroups({ client }, { UserPoolId })) {
    for (const { GroupName = '' } of Groups) {
      const pages = paginateListUsersInGroup({ client }, { UserPoolId, GroupName });
      for await (const { Users = [] } of pages) {
        for (const { Username = '' } of Users) {
          found.set(Username, [...(found.get(Username) ?? []), GroupName]);
        }
      }
    }
  }
  return found;
}

/** Somebody as Cognito tells, with the groups. */
export function personOf(user: UserType, groups: string[]): Person {
  const { sub, ...attributes } = Object.fromEntries(
    (user.Attributes ?? []).map(({ Name = '', Value = '' }) => [Name, Value]),
  );
  const { Username: username = '', Enabled, UserStatus = 'UNKNOWN', UserCreateDate } = user;
  if (sub === undefined) throw new Error(`Cognito gave ${username} without a sub.`);
  return {
    id: sub,
    username,
    attributes,
    groups: groups.toSorted(),
    enabled: Enabled ?? true,
    status: UserStatus,
    created_at: Math.floor((UserCreateDate?.getTime() ?? 0) / 1000),
  };
}
