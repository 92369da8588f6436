import { type Budget, budgets, type OperationId } from './budgets.ts';
import type { Mix } from './volumes.ts';

type Weights = { [Id in OperationId]: Partial<Record<keyof (typeof budgets)[Id], number>> };

/** How often each variant of an operation is met; of one operation they add up to 1. */
export const weightsOf = ({ group, once, unread, across, flagged, pin }: Mix): Weights => ({
  'messages/send': {
    direct: (1 - group) * (1 - once),
    group: group * (1 - once),
    directOnce: (1 - group) * once,
    groupOnce: group * once,
  },
  'messages/list': {
    oneNew: (1 - across) * unread,
    nothingNew: (1 - across) * (1 - unread),
    // Rather the dear one.
    acrossTen: across,
  },
  'messages/retrieve': { known: 1 },
  'messages/update': { plain: 1 },
  'messages/delete': { plain: 1 },
  'conversations/list': { all: 1 - flagged, oneFlag: flagged },
  'conversations/create': { direct: 1 - group, group },
  'conversations/retrieve': { known: 1 },
  'conversations/update': { nextFlag: 1 - pin, pin },
  'conversations/delete': { direct: 1 - group, group },
  'business/list': { ofAKilobyte: 1 },
});

export interface Units {
  reads: number;
  writes: number;
}

/** What AWS charges for one request of the operation, on average over its variants. */
export function unitsOf(operation: OperationId, mix: Mix, groups: number): Units {
  const weights: Partial<Record<string, number>> = weightsOf(mix)[operation];
  const variants: Record<string, Budget> = budgets[operation];
  let reads = 0;
  let writes = 0;
  for (const [variant, budget] of Object.entries(variants)) {
    const weight = weights[variant] ?? 0;
    const { perGroup, atAws } = budget;
    reads += weight * (budget.reads + groups * (perGroup?.reads ?? 0) + (atAws?.reads ?? 0));
    writes += weight * (budget.writes + (atAws?.writes ?? 0));
  }
  return { reads, writes };
}
