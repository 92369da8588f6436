import { expect, jest, test } from '@jest/globals';
import { type Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { everyStage, withAccount } from '../support/every-stage.ts';
import { acknowledgementsIn, answered, compared, type Finding } from '../support/findings.ts';
import { stackOf } from '../support/stack-of.ts';

const findingsIn = (stack: Stack): Finding[] =>
  new AwsSolutionsChecks()
    .validateScope(stack)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => ({ rule: ruleName, at: constructPath })),
    );

// With an account the names of things are known that are not otherwise.
test.each([...everyStage, withAccount])(
  'Stage %s follows AWS’s recommendations, or says why not, and only where it does not',
  (name, stage) => {
    const stack = stackOf(name, stage);
    expect(findingsIn(stack)).toEqual([]);

    const acknowledge = jest.spyOn(Validations.prototype, 'acknowledge').mockReturnValue();
    const silent = stackOf(name, stage);
    acknowledge.mockRestore();
    const acknowledgements = acknowledgementsIn(stack, 'AwsSolutions-');
    expect(compared(findingsIn(silent), acknowledgements)).toEqual(answered);
  },
);
