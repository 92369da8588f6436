import { personMonth } from './assumptions.ts';
import type { Volumes } from './bill.ts';
import type { OperationId } from './budgets.ts';

/**
 * Adds the traffic of people who chat. If `volumes.listeners` is 0, replaces it with
 * `personMonth.connections`.
 */
export function addPeople(volumes: Volumes, people: number): Volumes {
  if (people === 0) return volumes;
  const perPerson: Partial<Record<OperationId, number>> = personMonth.requests;
  return {
    ...volumes,
    requests: new Map(
      [...volumes.requests].map(([id, count]) => [id, count + people * (perPerson[id] ?? 0)]),
    ),
    activeUsers: volumes.activeUsers + people,
    listeners: volumes.listeners || personMonth.connections,
    listeningHours: volumes.listeningHours + people * personMonth.listeningHours,
  };
}
