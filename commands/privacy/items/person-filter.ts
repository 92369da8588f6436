import { userGroupPrefix } from '../../../shared/contract/schema/field-types.ts';
import { isUserGroup } from '../../../shared/ids.ts';
import type { ContactWithGroups } from '../../../shared/table/conversations/items/participants.ts';
import { chunkKey, contactKey, distinctKey, settingsKey } from '../../../shared/table/keys/keys.ts';
import { messageSortPrefix } from '../../../shared/table/keys/names.ts';

/** A filter expression. DynamoDB charges for all items read, but returns only matching items. */
export interface Filter {
  expression: string;
  values: Record<string, unknown>;
}

/**
 * Returns a filter that matches all items of a person and some others, which `toPersonItem`
 * excludes. The filter matches every message with reactions, because an expression cannot search
 * all reactions for an id.
 */
export function createPersonFilter({ id, groups }: ContactWithGroups): Filter {
  const { pk: pair, sk: distinct } = distinctKey('', '');
  const tokenGroups = groups.filter((group) => !isUserGroup(group));
  const groupValues = tokenGroups.map((group, n) => [`:group${n}`, group] as const);
  // Matches user groups by prefix: a person can have 300 groups, but IN accepts 100 operands.
  const hasUserGroups = tokenGroups.length < groups.length;
  const alternatives = [
    'pk IN (:contact, :feed)',
    'sk = :settings',
    '(begins_with(sk, :messages) AND (sent_by = :id OR size(reactions) > :none))',
    'created_by = :id',
    'contact_id = :id',
    'assigned_to = :id',
    'uploaded_by = :id',
    '(sk = :distinct AND begins_with(pk, :pair) AND contains(pk, :id))',
    ...(groupValues.length > 0
      ? [`group_id IN (${groupValues.map(([name]) => name).join(', ')})`]
      : []),
    ...(hasUserGroups ? ['begins_with(group_id, :user_groups)'] : []),
  ];
  return {
    expression: alternatives.join(' OR '),
    values: {
      ':contact': contactKey(id).pk,
      ':feed': chunkKey({ kind: 'contact', id }, 1).pk,
      ':settings': settingsKey('', id).sk,
      ':messages': messageSortPrefix,
      ':none': 0,
      ':id': id,
      ':distinct': distinct,
      ':pair': pair.slice(0, pair.indexOf('#') + 1),
      ...Object.fromEntries(groupValues),
      ...(hasUserGroups && { ':user_groups': userGroupPrefix }),
    },
  };
}
