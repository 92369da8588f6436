import { addPeople } from '../../commands/cost/add-people.ts';
import { createBill, type Volumes } from '../../commands/cost/bill.ts';
import { readStackFacts } from '../../commands/cost/stack-facts.ts';
import type { Template } from '../../lib/synthesis/template.ts';
import { operations, sendMessage } from '../../shared/contract/operations.ts';
import type { Section } from './report/section.ts';

const noTraffic: Volumes = {
  ...{
    requests: new Map(operations.map(({ id }) => [id, 0] as const)),
    storedGb: 0,
    activeUsers: 0,
    listeners: 0,
    listeningHours: 0,
  },
};

/** Calculates the stage's bill for a million sends, and its monthly bill for 10,000 people. */
export function calculateBill(template: Template): Section {
  const facts = readStackFacts(template);
  const plain = { ...facts, hasEvents: false, monthly: { ...facts.monthly, webAcls: 0 } };
  const getSends = (of: typeof facts) =>
    createBill(of, noTraffic, false).perMillion.find(({ of: id }) => id === sendMessage.id)?.usd ??
    Number.NaN;
  const people = addPeople({ ...noTraffic, storedGb: 10 }, 10_000);
  return {
    id: 'bill',
    title: 'The bill',
    explanation: `Calculated by \`npm run cost\`. Goals for a million sends: at most $12 with events and a firewall, $9 without. Goal for 10,000 people: $99 a month ([cost](cost.md#ten-thousand-people)).`,
    unit: 'US$',
    hasRatio: false,
    rows: [
      { name: 'a million sends', values: [getSends(plain)] },
      { name: 'with events and firewall', values: [getSends(facts)] },
      { name: '10,000 people for a month', values: [createBill(facts, people, true).month.usd] },
    ],
  };
}
