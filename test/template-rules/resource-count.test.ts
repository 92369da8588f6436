import { expect, test } from '@jest/globals';
import { getTemplate, prepareTemplates } from '../support/template/get-template.ts';
import { stageVariants } from '../support/template/stage-variants.ts';

/** CloudFormation accepts 500 resources per stack. The lower limit leaves room for changes. */
const maxResources = 489;

prepareTemplates(stageVariants);

test.each(stageVariants)('The template of stage %s has at most 489 resources', (name, stage) => {
  const count = Object.keys(Object(getTemplate(name, stage).toJSON().Resources)).length;
  const advice =
    'CloudFormation accepts 500 resources. Let operations share a function: `sharedFunction` in the contract.';
  if (count > maxResources) throw new Error(`The stack has ${count} resources. ${advice}`);
  expect(count).toBeLessThanOrEqual(maxResources);
});
