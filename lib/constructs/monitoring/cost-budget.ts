import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import { stageTag } from '../../stage-names.ts';
import type { Budget } from '../../stages.ts';

/** Thresholds in percent of the budget, for actual and for forecast cost. */
const limits = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
];

/**
 * Creates a monthly budget. AWS sends an e-mail if the cost exceeds 80% of the budget, or if the
 * forecast exceeds the budget. The operator must activate the stage's tag once as a cost allocation
 * tag (docs/deploy.md).
 */
export function createCostBudget(
  scope: Construct,
  stageName: string,
  { dollars, email }: Budget,
): void {
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
