import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { readStackFacts } from '../../commands/cost/stack-facts.ts';
import { getFunctionPath } from '../../lib/function-paths.ts';
import { getStage, type Stage } from '../../lib/stages.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { getTemplate, prepareTemplates } from '../support/template/get-template.ts';
import { getVariant } from '../support/template/stage-variants.ts';

const rows: readonly Operation[] = operations;
const dev = getStage('dev');
const withoutEvents: Stage = { ...dev, events: false };
const withoutReceipts: Stage = { ...dev, readReceipts: false };
const lenient: Stage = { ...dev, attachments: { scan: true, servesUnscanned: true } };
const { bus, ...withoutBus } = dev;
const { webhooks, ...withoutWebhooks } = dev;

prepareTemplates([
  ['dev-without-receipts', withoutReceipts],
  ['dev-lenient', lenient],
  ['dev-without-bus', withoutBus],
  ['dev-bus-only', withoutWebhooks],
]);

const Facts = v.object({
  Resources: v.record(
    v.string(),
    v.looseObject({
      Type: v.string(),
      Properties: v.optional(v.record(v.string(), v.unknown()), {}),
    }),
  ),
});
const idsOf = (template: ReturnType<typeof getTemplate>, type: string) =>
  Object.keys(template.findResources(type));

const paths = new Set(rows.map(getFunctionPath));

const findDescriptions = (template: ReturnType<typeof getTemplate>) =>
  Object.values(template.findResources('AWS::Lambda::Function'))
    .map(({ Properties }) => String(Properties.Description))
    .filter((one) => paths.has(one.slice(0, one.indexOf(':'))))
    .sort();

const toDescriptions = (enabled: readonly Operation[]) =>
  [...Map.groupBy(enabled, getFunctionPath)]
    .map(([path, served]) => `${path}: ${served.map(({ summary }) => summary).join(', ')}`)
    .sort();

test('A stage without events lacks only event resources and operations', () => {
  const without = getTemplate('dev-without-events', withoutEvents);
  const text = JSON.stringify(without.toJSON());
  for (const word of ['LiveFailures', 'LiveMapping', 'EventsList', 'LiveRetrieve']) {
    expect([word, text.includes(word)]).toEqual([word, false]);
  }
  expect(idsOf(without, 'AWS::Lambda::EventSourceMapping')).toHaveLength(1);
  expect(idsOf(without, 'AWS::SQS::Queue').sort()).toEqual([
    expect.stringMatching(/^PurgeFailures/),
    expect.stringMatching(/^ScanFailures/),
    expect.stringMatching(/^ThumbnailFailures/),
  ]);
  const enabled = rows.filter(({ feature }) => feature !== 'events');
  expect(enabled.length).toBe(rows.length - 2);
  expect(findDescriptions(without)).toEqual(toDescriptions(enabled));
});

describe('A stage without attachments', () => {
  const without = getTemplate(...getVariant('dev-without-attachments'));

  test('has no resources, alarms or operations for attachments', () => {
    for (const type of [
      'AWS::S3::Bucket',
      'AWS::GuardDuty::MalwareProtectionPlan',
      'AWS::EC2::VPC',
    ]) {
      expect(idsOf(without, type)).toEqual([]);
    }
    expect(idsOf(without, 'AWS::CloudWatch::Alarm').filter((id) => /Scan/.test(id))).toEqual([]);
    const text = JSON.stringify(without.toJSON());
    for (const word of ['FILES_URL', 's3:', 'Scan', 'Thumbnail', 'Attachments', 'UPLOADS#']) {
      expect([word, text.includes(word)]).toEqual([word, false]);
    }
  });

  test('has at least three fewer alarms than dev, and otherwise the same monthly costs', () => {
    const { monthly, hasAttachments, hasScans } = readStackFacts(v.parse(Facts, without.toJSON()));
    const ofDev = readStackFacts(v.parse(Facts, getTemplate('dev', dev).toJSON()));
    expect([hasAttachments, hasScans]).toEqual([false, false]);
    expect(Number(ofDev.monthly.alarms) - Number(monthly.alarms)).toBeGreaterThanOrEqual(3);
    expect({ ...ofDev.monthly, alarms: 0 }).toEqual({ ...monthly, alarms: 0 });
  });
});

test('A stage serves unscanned files only if it does not scan files or is configured to serve them', () => {
  const variablesIn = (name: string, stage: Stage) =>
    Object.values(getTemplate(name, stage).findResources('AWS::Lambda::Function')).flatMap(
      ({ Properties }) =>
        Object.keys(Properties.Environment.Variables).filter((one) => /SCAN|FILE_TYPES/.test(one)),
    );
  expect(variablesIn('dev', dev)).toEqual(['SCANS_FILES']);
  expect(variablesIn(...getVariant('dev-unscanned'))).toEqual(['FILE_TYPES', 'SERVES_UNSCANNED']);
  expect(variablesIn('dev-lenient', lenient)).toEqual(['SCANS_FILES', 'SERVES_UNSCANNED']);
});

test('A stage without webhooks has no webhook resources', () => {
  const without = getTemplate('dev-bus-only', withoutWebhooks);
  expect([webhooks, JSON.stringify(without.toJSON()).match(/webhook/i)]).toEqual([true, null]);
});

test('A stage with webhooks has an event bus even if the stage does not set the bus option', () => {
  const buses = idsOf(getTemplate('dev-without-bus', withoutBus), 'AWS::Events::EventBus');
  expect([bus, buses.length]).toEqual([true, 1]);
});

test('A stage without read receipts lacks only the operation that lists readers', () => {
  const template = getTemplate('dev-without-receipts', withoutReceipts);
  const enabled = rows.filter(({ feature }) => feature !== 'readReceipts');
  expect(enabled.length).toBe(rows.length - 1);
  expect(findDescriptions(template)).toEqual(toDescriptions(enabled));
});

test('A stage without events still runs feed maintenance, which removes old events', () => {
  const name = 'dev-without-events';
  const purgeOf = (template: ReturnType<typeof getTemplate>): [id: string, resource: unknown][] => {
    const text = JSON.stringify(template.toJSON().Resources)
      .replaceAll(name, 'dev')
      // A version's id contains a hash of its content, including the stage name.
      .replaceAll(/(?<=CurrentVersion[A-F\d]{8})[a-f\d]{32}/g, '');
    return Object.entries(JSON.parse(text)).filter(([id]) => id.startsWith('Purge'));
  };
  const before = purgeOf(getTemplate('dev', dev));
  expect(purgeOf(getTemplate(name, withoutEvents))).toEqual(before);
  for (const word of ['CHECK', 'FEED#']) expect(JSON.stringify(before)).toContain(word);
});
