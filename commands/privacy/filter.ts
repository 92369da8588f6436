import type { ContactWithGroups } from '../../shared/table/conversations/items/participants.ts';
import { chunkKey, contactKey, distinctKey, settingsKey } from '../../shared/table/keys/keys.ts';
import { messageSortPrefix } from '../../shared/table/keys/names.ts';

/** What the table is asked to send of what it reads: it charges for all, but the way is long. */
export interface Filter {
  expression: string;
  values: Record<string, unknown>;
}

/**
 * What may concern somebody: which of it does is for things.ts to tell. Of reactions the table does
 * not know whose they are, as they are kept by name: so it sends every message that has some.
 */
export function mayConcern({ id, groups }: ContactWithGroups): Filter {
  const { pk: pair, sk: distinct } = distinctKey('', '');
  const named = groups.map((group, n) => [`:group${n}`, group] as const);
  const alternatives = [
    'pk IN (:contact, :feed)',
    'sk = :settings',
    '(begins_with(sk, :messages) AND (sent_by = :id OR size(reactions) > :none))',
    'created_by = :id',
    'contact_id = :id',
    '(sk = :distinct AND begins_with(pk, :pair) AND contains(pk, :id))',
    ...(named.length > 0 ? [`group_id IN (${named.map(([name]) => name).join(', ')})`] : []),
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
      ...Object.fromEntries(named),
    },
  };
}
