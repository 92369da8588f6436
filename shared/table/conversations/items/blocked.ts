import { ApiError } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import type { ConversationItem } from './conversation-item.ts';

/**
 * Throws `blocking` if the caller blocks the other contact, or `blocked` if only the other contact
 * blocks the caller. Ignores blocks for callers with `bypassesBlocks`.
 */
export function requireUnblocked({ blocked_by }: ConversationItem, caller: Caller): void {
  if (blocked_by && !caller.bypassesBlocks) throw toBlockError(blocked_by.has(caller.id));
}

export const toBlockError = (isBlocker: boolean): ApiError =>
  new ApiError(isBlocker ? 'blocking' : 'blocked');

/** Returns write conditions that fail if `requireUnblocked` would throw. */
export const toUnblockedConditions = ({ bypassesBlocks }: Caller): string[] =>
  bypassesBlocks ? [] : ['attribute_not_exists(blocked_by)'];
