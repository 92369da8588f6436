import * as v from 'valibot';
import { ApiError } from '../../api-error.ts';
import { type Caller, maxGroups } from '../../caller.ts';
import { clock } from '../../clock.ts';
import { ContactId, ExternalId, Label } from '../../contract/schema/field-types.ts';
import { isUserGroup } from '../../ids.ts';

/**
 * Authorizer context of a request. API Gateway caches the context, so each operation checks
 * `expires_at`.
 */
const CallerContext = v.object({
  contact_id: v.string(),
  /** Group ids as a JSON array. */
  groups: v.pipe(v.string(), v.parseJson(), v.array(v.string())),
  /** Unix seconds. */
  expires_at: v.pipe(v.string(), v.toNumber()),
  username: v.optional(v.string()),
  phone_number: v.optional(v.string()),
  avatar_url: v.optional(v.string()),
});
export type CallerContext = v.InferInput<typeof CallerContext>;

const text = v.optional(v.fallback(v.optional(Label), undefined));
/** Group that a token can claim. Excludes user groups, whose members are stored in the table. */
const TokenGroup = v.pipe(
  ExternalId,
  v.check((id) => !isUserGroup(id)),
);
const groupNames = v.fallback(v.optional(v.union([v.string(), v.array(v.unknown())])), undefined);

/** Claims that this service reads. Invalid profile and group claims count as absent. */
const Claims = v.object({
  sub: ContactId,
  exp: v.number(),
  preferred_username: text,
  username: text,
  'cognito:username': text,
  phone_number: text,
  picture: text,
  groups: groupNames,
  'cognito:groups': groupNames,
});

/** Converts a token's claims. Returns `undefined` if the contact id or the expiry is invalid. */
export function toCallerContext(claims: unknown): CallerContext | undefined {
  const result = v.safeParse(Claims, claims);
  if (!result.success) return undefined;
  const { output } = result;
  const groupClaims = [output.groups ?? output['cognito:groups'] ?? []].flat();
  const groups = new Set(groupClaims.filter((group) => v.is(TokenGroup, group)));
  const username = output.preferred_username ?? output.username ?? output['cognito:username'];
  return {
    contact_id: output.sub,
    // Keeps one group more than the limit, so that `toCaller` rejects the token. All groups
    // together could exceed the size limit of the gateway's context.
    groups: JSON.stringify([...groups].slice(0, maxGroups + 1)),
    expires_at: String(output.exp),
    ...(username !== undefined && { username }),
    ...(output.phone_number !== undefined && { phone_number: output.phone_number }),
    ...(output.picture !== undefined && { avatar_url: output.picture }),
  };
}

/**
 * Returns the caller. Throws `token_expired`, or `too_many_groups` for more than `maxGroups`
 * groups.
 */
export function toCaller(context: unknown): Caller {
  const { contact_id, groups, expires_at, ...profile } = v.parse(CallerContext, context);
  if (expires_at * 1000 <= clock.now()) throw new ApiError('token_expired');
  if (groups.length > maxGroups) throw new ApiError('too_many_groups');
  return {
    id: contact_id,
    groups,
    tokenExpiresAt: expires_at,
    username: profile.username ?? null,
    phone_number: profile.phone_number ?? null,
    avatar_url: profile.avatar_url ?? null,
  };
}
