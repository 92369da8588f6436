import { expect, test } from '@jest/globals';
import { getStage } from '../../lib/stages.ts';
import { getTemplate, prepareTemplates } from '../support/template/get-template.ts';
import { testStages } from '../support/template/stage-variants.ts';
import { formatTemplate } from '../support/template-text/format-template.ts';
import { toReadableTemplate } from '../support/template-text/readable-template.ts';
import { formatDifference } from '../support/template-text/template-difference.ts';

// The snapshots are text for people: `npx jest test/lib/templates -u` writes them anew, and the diff is to be read.
expect.addSnapshotSerializer({
  test: (value) => typeof value === 'string',
  print: (value) => String(value),
});

/** All by one name: so they differ in what their stages say only. */
prepareTemplates(testStages.map(([, stage]) => ['stage', stage]));
const inStage = (stage: (typeof testStages)[number][1]) =>
  toReadableTemplate(getTemplate('stage', stage));

const prod = inStage(getStage('prod'));

test('What is deployed in prod', () => {
  expect(formatTemplate(prod)).toMatchSnapshot();
});

test.each(testStages.filter(([name]) => name !== 'prod'))(
  'What is deployed in %s, as far as it differs',
  (_, stage) => {
    expect(formatDifference(inStage(stage), prod, 'prod')).toMatchSnapshot();
  },
);
