import { expect, jest, test } from '@jest/globals';
import { type Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { selectSize } from '../support/setup/sample-size.ts';
import {
  compareFindings,
  type Finding,
  findAcknowledgements,
  noFindings,
} from '../support/template/acknowledged-findings.ts';
import { createStack } from '../support/template/create-stack.ts';
import { stageWithAccount, testStages } from '../support/template/stage-variants.ts';

const findingsIn = (stack: Stack): Finding[] =>
  new AwsSolutionsChecks()
    .validateScope(stack)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => ({ rule: ruleName, at: constructPath })),
    );

// The stage with an account has the most resources. If the account is set, more resource names are
// known at synthesis.
const stages = selectSize([stageWithAccount], [...testStages, stageWithAccount]);

test.each(stages)(
  'Stage %s has only acknowledged cdk-nag findings, and every acknowledgement matches a finding',
  (name, stage) => {
    const stack = createStack(name, stage);
    expect(findingsIn(stack)).toEqual([]);

    const acknowledge = jest.spyOn(Validations.prototype, 'acknowledge').mockReturnValue();
    const silent = createStack(name, stage);
    acknowledge.mockRestore();
    const acknowledgements = findAcknowledgements(stack, 'AwsSolutions-');
    expect(compareFindings(findingsIn(silent), acknowledgements)).toEqual(noFindings);
  },
);
