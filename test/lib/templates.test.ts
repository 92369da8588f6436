import { expect, test } from '@jest/globals';
import { getStage } from '../../lib/stages.ts';
import { getTemplate, prepareTemplates } from '../support/template/get-template.ts';
import { testStages } from '../support/template/stage-variants.ts';
import { formatTemplate } from '../support/template-text/format-template.ts';
import { toReadableTemplate } from '../support/template-text/readable-template.ts';
import { formatDifference } from '../support/template-text/template-difference.ts';

// After `npx jest test/lib/templates -u`, review the diff of the snapshots.
expect.addSnapshotSerializer({
  test: (value) => typeof value === 'string',
  print: (value) => String(value),
});

// All stages get the same stack name, so the templates differ only by settings.
prepareTemplates(testStages.map(([, stage]) => ['stage', stage]));
const inStage = (stage: (typeof testStages)[number][1]) =>
  toReadableTemplate(getTemplate('stage', stage));

const prod = inStage(getStage('prod'));

test('The template of prod matches the reviewed snapshot', () => {
  expect(formatTemplate(prod)).toMatchSnapshot();
});

test.each(testStages.filter(([name]) => name !== 'prod'))(
  'The template of %s differs from prod only as in the reviewed snapshot',
  (_, stage) => {
    expect(formatDifference(inStage(stage), prod, 'prod')).toMatchSnapshot();
  },
);
