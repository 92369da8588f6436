import { expect, test } from '@jest/globals';
import { getStage } from '../../lib/stages.ts';
import { getTemplate, prepareTemplates } from '../support/template/get-template.ts';
import { testStages } from '../support/template/stage-variants.ts';
import { formatTemplate } from '../support/template-text/format-template.ts';
import { toReadableTemplate } from '../support/template-text/readable-template.ts';
import { formatDifference } from '../support/template-text/template-difference.ts';

// Snapshots for readers: `npx jest test/lib/templates -u` updates them; review the diff.
expect.addSnapshotSerializer({
  test: (value) => typeof value === 'string',
  print: (value) => String(value),
});

/** All with the same name, so that they differ by their settings only. */
prepareTemplates(testStages.map(([, stage]) => ['stage', stage]));
const inStage = (stage: (typeof testStages)[number][1]) =>
  toReadableTemplate(getTemplate('stage', stage));

const prod = inStage(getStage('prod'));

test('The template of prod', () => {
  expect(formatTemplate(prod)).toMatchSnapshot();
});

test.each(testStages.filter(([name]) => name !== 'prod'))(
  'The differences of %s from prod',
  (_, stage) => {
    expect(formatDifference(inStage(stage), prod, 'prod')).toMatchSnapshot();
  },
);
