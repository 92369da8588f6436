import { expect, test } from '@jest/globals';
import { addPeople } from '../../../commands/cost/add-people.ts';
import { personMonth } from '../../../commands/cost/assumptions.ts';
import type { OperationId } from '../../../commands/cost/budgets.ts';

const volumes = {
  requests: new Map<OperationId, number>([
    ['messages/send', 7],
    ['business/list', 3],
  ]),
  ...{ storedGb: 1, activeUsers: 2, listeners: 0, listeningHours: 5 },
};

test('Adding people increases active users, requests and listening hours, and sets connections per event if they are zero', () => {
  const { 'messages/send': sends } = personMonth.requests;
  expect(addPeople(volumes, 10)).toEqual({
    requests: new Map([
      ['messages/send', 7 + 10 * sends],
      ['business/list', 3],
    ]),
    storedGb: 1,
    activeUsers: 12,
    listeners: personMonth.connections,
    listeningHours: 5 + 10 * personMonth.listeningHours,
  });
});

test('Adding people changes the number of connections only if that number is 0, and adding no people changes nothing', () => {
  expect(addPeople({ ...volumes, listeners: 30 }, 10).listeners).toBe(30);
  expect(addPeople(volumes, 0)).toBe(volumes);
});
