import { expect, test } from '@jest/globals';
import { getStage, type Stage } from '../../../../lib/stages.ts';
import { parseEventPattern } from '../../../../local-cloud/streams/event-pattern.ts';
import { getTemplate } from '../../../support/template/get-template.ts';
import { toScanEvent } from '../../../support/workers/scan-worker.ts';

function createMatcher(name: string, attachments: Stage['attachments']) {
  const template = getTemplate(name, { ...getStage('dev'), ...(attachments && { attachments }) });
  const rules = Object.entries(template.findResources('AWS::Events::Rule'));
  const [, rule] = rules.find(([id]) => id.startsWith('ThumbnailFiles')) ?? [];
  const pattern = JSON.stringify(rule?.Properties.EventPattern);
  return parseEventPattern(pattern.replaceAll(/\{"Ref":"Files\w+"\}/g, '"files"'));
}

const toScan = (result: string) => ({
  source: 'aws.guardduty',
  'detail-type': 'GuardDuty Malware Protection Object Scan Result',
  ...toScanEvent('files/a/b', result),
});
const toStored = (key: string, name = 'files') => ({
  source: 'aws.s3',
  'detail-type': 'Object Created',
  detail: { bucket: { name }, object: { key } },
});

test('A stage that scans files makes thumbnails only of clean files', () => {
  const matches = createMatcher('dev', getStage('dev').attachments);
  expect(matches(toScan('NO_THREATS_FOUND'))).toBe(true);
  for (const result of ['THREATS_FOUND', 'UNSUPPORTED', 'ACCESS_DENIED', 'FAILED']) {
    expect(matches(toScan(result))).toBe(false);
  }
  expect(matches(toStored('files/a/b'))).toBe(false);
});

test('A stage that does not scan files makes thumbnails of uploaded files, but not of thumbnails', () => {
  const matches = createMatcher('dev-unscanned', { types: ['image/*'] });
  expect(matches(toStored('files/a/b'))).toBe(true);
  expect(matches(toStored('thumbnails/a/b'))).toBe(false);
  expect(matches(toStored('files/a/b', 'other'))).toBe(false);
});
