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

interface GroupConditions {
  conditions: string[];
  values: Record<string, string>;
}

/**
 * Returns a filter that matches all items of a person and some others, which `toPersonItem`
 * excludes. The filter matches every message with reactions, because an expression cannot search
 * all reactions for an id.
 */
export function createPersonFilter({ id, groups }: ContactWithGroups): Filter {
  const { pk: pair, sk: distinct } = distinctKey('', '');
  const groupConditions = toGroupConditions(groups);
  const alternatives = [
    'pk IN (:contact, :feed)',
    'sk = :settings',
    '(begins_with(sk, :messages) AND (sent_by = :id OR size(reactions) > :none))',
    'created_by = :id',
    'contact_id = :id',
    'assigned_to = :id',
    'uploaded_by = :id',
    '(sk = :distinct AND begins_with(pk, :pair) AND contains(pk, :id))',
    ...groupConditions.conditions,
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
      ...groupConditions.values,
    },
  };
}

/** Maximum number of operands of IN in an expression. */
const maxOperands = 100;

/**
 * Returns conditions that match the groups' conversations. The conditions match user groups by
 * prefix, because a person can have 300, and more than 100 token groups as any group.
 */
function toGroupConditions(groups: readonly string[]): GroupConditions {
  const tokenGroups = groups.filter((group) => !isUserGroup(group));
  if (tokenGroups.length > maxOperands) {
    return { conditions: ['attribute_exists(group_id)'], values: {} };
  }
  const values = Object.fromEntries(tokenGroups.map((group, n) => [`:group${n}`, group]));
  const hasUserGroups = tokenGroups.length < groups.length;
  return {
    conditions: [
      ...(tokenGroups.length > 0 ? [`group_id IN (${Object.keys(values).join(', ')})`] : []),
      ...(hasUserGroups ? ['begins_with(group_id, :user_groups)'] : []),
    ],
    values: { ...values, ...(hasUserGroups && { ':user_groups': userGroupPrefix }) },
  };
}
