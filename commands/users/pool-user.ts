import {
  type CognitoIdentityProviderClient,
  paginateListGroups,
  paginateListUsersInGroup,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import * as v from 'valibot';

/** A user of a user pool, as one line of an export. Cognito does not export passwords. */
export const PoolUser = v.strictObject({
  /** The contact id: Cognito's `sub`, unique across pools. */
  id: v.string(),
  username: v.string(),
  /** All attributes except `sub`. */
  attributes: v.record(v.string(), v.string()),
  groups: v.array(v.string()),
  enabled: v.boolean(),
  status: v.string(),
  /** Creation time in Unix seconds. */
  created_at: v.number(),
});
export type PoolUser = v.InferOutput<typeof PoolUser>;

/** Returns the groups of each user, by username. Omits users without groups. */
export async function readMemberships(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
): Promise<Map<string, string[]>> {
  const groupsByUser = new Map<string, string[]>();
  for await (const { Groups = [] } of paginateListGroups({ client }, { UserPoolId })) {
    for (const { GroupName = '' } of Groups) {
      const pages = paginateListUsersInGroup({ client }, { UserPoolId, GroupName });
      for await (const { Users = [] } of pages) {
        for (const { Username = '' } of Users) {
          groupsByUser.set(Username, [...(groupsByUser.get(Username) ?? []), GroupName]);
        }
      }
    }
  }
  return groupsByUser;
}

export function toPoolUser(user: UserType, groups: string[]): PoolUser {
  const { sub, ...attributes } = Object.fromEntries(
    (user.Attributes ?? []).map(({ Name = '', Value = '' }) => [Name, Value]),
  );
  const { Username: username = '', Enabled, UserStatus = 'UNKNOWN', UserCreateDate } = user;
  if (sub === undefined) throw new Error(`Cognito returned the user ${username} without a sub.`);
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
