import { expect, test } from '@jest/globals';
import { getStage, type Stage } from '../../lib/stages.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { getTemplate } from '../support/template/get-template.ts';

const rows: readonly Operation[] = operations;
const withoutEvents: Stage = { ...getStage('dev'), events: false };
const idsOf = (template: ReturnType<typeof getTemplate>, type: string) =>
  Object.keys(template.findResources(type));

test('A stage without events has no event resources and all others', () => {
  const without = getTemplate('dev-without-events', withoutEvents);
  const text = JSON.stringify(without.toJSON());
  for (const word of ['LiveFailures', 'LiveMapping', 'EventsList', 'LiveRetrieve']) {
    expect([word, text.includes(word)]).toEqual([word, false]);
  }
  expect(idsOf(without, 'AWS::Lambda::EventSourceMapping')).toHaveLength(1);
  expect(idsOf(without, 'AWS::SQS::Queue').sort()).toEqual([
    expect.stringMatching(/^PurgeFailures/),
    expect.stringMatching(/^ScanFailures/),
  ]);
  const offered = rows.filter(({ feature }) => feature !== 'events');
  expect(offered.length).toBe(rows.length - 2);
  const described = Object.values(without.findResources('AWS::Lambda::Function')).map(
    ({ Properties }) => String(Properties.Description),
  );
  expect(described.filter((one) => one.includes(' /v1/')).sort()).toEqual(
    offered.map((row) => `${row.method} ${row.path}: ${row.summary}`).sort(),
  );
});

test('A stage without read receipts lacks only the list of readers', () => {
  const withoutReceipts = getTemplate('dev-without-receipts', {
    ...getStage('dev'),
    readReceipts: false,
  });
  const described = Object.values(withoutReceipts.findResources('AWS::Lambda::Function')).map(
    ({ Properties }) => String(Properties.Description),
  );
  const offered = rows.filter(({ feature }) => feature !== 'readReceipts');
  expect(offered.length).toBe(rows.length - 1);
  expect(described.filter((one) => one.includes(' /v1/')).sort()).toEqual(
    offered.map((row) => `${row.method} ${row.path}: ${row.summary}`).sort(),
  );
});

test('A stage that switched events off still runs feed maintenance, so that old events are removed', () => {
  const name = 'dev-without-events';
  const purgeOf = (template: ReturnType<typeof getTemplate>): [id: string, resource: unknown][] => {
    const text = JSON.stringify(template.toJSON().Resources)
      .replaceAll(name, 'dev')
      // A version's id contains a hash of its content, including the stage name.
      .replaceAll(/(?<=CurrentVersion[A-F\d]{8})[a-f\d]{32}/g, '');
    return Object.entries(JSON.parse(text)).filter(([id]) => id.startsWith('Purge'));
  };
  const before = purgeOf(getTemplate('dev', getStage('dev')));
  expect(purgeOf(getTemplate(name, withoutEvents))).toEqual(before);
  for (const word of ['CHECK', 'FEED#']) expect(JSON.stringify(before)).toContain(word);
});
