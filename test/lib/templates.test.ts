import { expect, test } from '@jest/globals';
import { getStage } from '../../lib/stages.ts';
import { everyStage } from '../support/every-stage.ts';
import { difference } from '../support/readable/difference.ts';
import { print } from '../support/readable/print.ts';
import { readable } from '../support/readable/readable-template.ts';
import { makeTemplates, templateOf } from '../support/template-of.ts';

// The snapshots are text for people: `npx jest test/lib/templates -u` writes them anew, and the diff is to be read.
expect.addSnapshotSerializer({
  test: (value) => typeof value === 'string',
  print: (value) => String(value),
});

/** All by one name: so they differ in what their stages say only. */
makeTemplates(everyStage.map(([, stage]) => ['stage', stage]));
const inStage = (stage: (typeof everyStage)[number][1]) => readable(templateOf('stage', stage));

const prod = inStage(getStage('prod'));

test('What is deployed in prod', () => {
  expect(print(prod)).toMatchSnapshot();
});

test.each(everyStage.filter(([name]) => name !== 'prod'))(
  'What is deployed in %s, as far as it differs',
  (_, stage) => {
    expect(difference(inStage(stage), prod, 'prod')).toMatchSnapshot();
  },
);
