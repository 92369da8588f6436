import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import { stageTag } from '../stage-names.ts';
import type { Budget } from '../stages.ts';

/** When it is told: in percent of the budget, of what was spent, or of what the month is going to cost. */
const limits = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
];

/**
 * A letter when the stage costs more in a month than is thought right. It goes by the tag that all resources of the stage
 * have; the account must have made it a cost allocation tag once: docs/deploy.md.
 */
export function watchCosts(scope: Construct, stageName: string, { dollars, email }: Budget): void {
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: dollars, unit: 'USD' },
      costFilters: { TagKeyValue: [`user:${stageTag}$${stageName}`] },
    },
    notificationsWithSubscribers: limits.map((limit) => ({
      notification: { ...limit, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'EMAIL', address: email }],
    })),
  });
}
