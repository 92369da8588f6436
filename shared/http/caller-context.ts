import * as v from 'valibot';
import { type Caller, maxGroups } from '../caller.ts';
import { clock } from '../clock.ts';
import { Label, OutsideId } from '../contract/values.ts';
import { ApiError } from '../errors.ts';

/**
 * What the authorizer tells the operations of the caller. API Gateway carries it as strings, and keeps it as long as it
 * caches the authorizer's answer: longer than the token may be good for, so `expires_at` goes along and is checked by
 * each operation.
 */
const CallerContext = v.object({
  contact_id: v.string(),
  /** A JSON array. */
  groups: v.pipe(v.string(), v.parseJson(), v.array(v.string())),
  /** Unix seconds. */
  expires_at: v.pipe(v.string(), v.toNumber()),
  username: v.optional(v.string()),
  phone_number: v.optional(v.string()),
  avatar_url: v.optional(v.string()),
});
export type CallerContext = v.InferInput<typeof CallerContext>;

const text = v.optional(v.fallback(v.optional(Label), undefined));
const groupNames = v.fallback(v.optional(v.union([v.string(), v.array(v.unknown())])), undefined);

/**
 * The claims that this service reads. Those of other types are as good as absent, and so are texts that others could not
 * be shown within a line; but not the first two.
 */
const Claims = v.object({
  sub: OutsideId,
  exp: v.number(),
  preferred_username: text,
  username: text,
  'cognito:username': text,
  phone_number: text,
  picture: text,
  groups: groupNames,
  'cognito:groups': groupNames,
});

/** The context of a token's claims; undefined when they do not say who calls and until when. */
export function contextOf(claims: unknown): CallerContext | undefined {
  const result = v.safeParse(Claims, claims);
  if (!result.success) return undefined;
  const { output } = result;
  const named = [output.groups ?? output['cognito:groups'] ?? []].flat();
  const groups = new Set(named.filter((group) => v.is(OutsideId, group)));
  const username = output.preferred_username ?? output.username ?? output['cognito:username'];
  return {
    contact_id: output.sub,
    // One too many is enough to see that there are too many, and all of them may be more than the gateway carries.
    groups: JSON.stringify([...groups].slice(0, maxGroups + 1)),
    expires_at: String(output.exp),
    ...(username !== undefined && { username }),
    ...(output.phone_number !== undefined && { phone_number: output.phone_number }),
    ...(output.picture !== undefined && { avatar_url: output.picture }),
  };
}

/**
 * The caller, from the context in an event. Throws `token_expired` when the token's time is over, and `too_many_groups`
 * when it names more than `mostGroups`: nobody is served as if they were in some of their groups only.
 */
export function callerOf(context: unknown): Caller {
  const { contact_id, groups, expires_at, ...profile } = v.parse(CallerContext, context);
  if (expires_at * 1000 <= clock.now()) throw new ApiError('token_expired');
  if (groups.length > maxGroups) throw new ApiError('too_many_groups');
  return {
    id: contact_id,
    groups,
    tokenEndsAt: expires_at,
    username: profile.username ?? null,
    phone_number: profile.phone_number ?? null,
    avatar_url: profile.avatar_url ?? null,
  };
}
