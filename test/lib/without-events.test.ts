import { expect, test } from '@jest/globals';
import { type Stage, stageNamed } from '../../lib/stages.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { templateOf } from '../support/template-of.ts';

const rows: readonly Operation[] = operations;
const withoutEvents: Stage = { ...stageNamed('dev'), events: false };
const idsOf = (template: ReturnType<typeof templateOf>, type: string) =>
  Object.keys(template.findResources(type));

test('A stage without events has none of what tells them, and all the rest', () => {
  const dev = templateOf('dev', stageNamed('dev'));
  const without = templateOf('dev-without-events', withoutEvents);
  const text = JSON.stringify(without.toJSON());
  for (const word of ['FEED#', 'LiveFailures', 'LiveMapping', 'EventsList', 'LiveRetrieve']) {
    expect([word, text.includes(word)]).toEqual([word, false]);
  }
  expect(JSON.stringify(dev.toJSON())).toContain('FEED#');
  expect(idsOf(without, 'AWS::Lambda::EventSourceMapping')).toHaveLength(1);
  expect(idsOf(without, 'AWS::SQS::Queue')).toHaveLength(1);
  const offered = rows.filter(({ feature }) => feature === undefined);
  expect(offered.length).toBe(rows.length - 2);
  const described = Object.values(without.findResources('AWS::Lambda::Function')).map(
    ({ Properties }) => String(Properties.Description),
  );
  expect(described.filter((one) => one.includes(' /v1/')).sort()).toEqual(
    offered.map((row) => `${row.method} ${row.path}: ${row.summary}`).sort(),
  );
});
