import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { clock } from '../../../shared/clock.ts';
import { functionLimits } from '../../../shared/function-limits.ts';
import { callerCacheSeconds } from '../../../shared/retention.ts';
import { toErasureUpdate } from '../../../shared/table/erased-contact.ts';
import { erasureAttribute, erasureEndAttribute } from '../../../shared/table/keys/names.ts';
import type { StageTable } from '../../stage/stage-table.ts';

/**
 * Maximum milliseconds until the functions' caches have expired and requests that began before an
 * erasure have ended.
 */
const refusalMilliseconds = (callerCacheSeconds + functionLimits.request.timeoutSeconds) * 1000;

export interface ErasedProfile {
  /** Whether this call erased a profile; false if none existed or it was already erased. */
  existed: boolean;
  /** Milliseconds until all functions refuse the person's writes. */
  refusalDelay: number;
}

const Profile = v.object({
  last_active_at: v.number(),
  [erasureAttribute]: v.optional(v.number()),
  [erasureEndAttribute]: v.optional(v.number()),
});
type Profile = v.InferOutput<typeof Profile>;

export async function eraseProfile(
  { client, name }: StageTable,
  id: string,
): Promise<ErasedProfile> {
  const update = { TableName: name, ...toErasureUpdate(id, clock.now()) };
  const { Attributes } = await client.send(
    new UpdateCommand({ ...update, ReturnValues: 'ALL_OLD' }),
  );
  if (Attributes === undefined) return { existed: false, refusalDelay: 0 };
  const before = v.parse(Profile, Attributes);
  return {
    existed: before.erased_at === undefined,
    refusalDelay: mayBeCached(before) ? refusalMilliseconds : 0,
  };
}

/**
 * Reports whether a function may have cached the profile and therefore still accept writes.
 * Checks for activity or an erasure in the last hour, to allow for clock differences between this
 * machine and AWS.
 */
function mayBeCached({ last_active_at, erased_at = 0, erased_through }: Profile): boolean {
  // An earlier erasure is complete, so all functions' cached copies of the profile have expired.
  if (erased_through !== undefined) return false;
  return Math.max(last_active_at, erased_at) > clock.now() - 60 * 60 * 1000;
}
