import { describe, expect, test } from '@jest/globals';
import { formatSwitchSteps } from '../../../commands/recovery/format-switch-steps.ts';
import { getStage } from '../../../lib/stages.ts';
import { getTemplate } from '../../support/template/get-template.ts';

const streamArn =
  'arn:aws:dynamodb:eu-central-1:123456789012:table/restored/stream/2026-11-21T10:00:00.000';
const restoredTable = { name: 'restored', streamArn };
const prod = getStage('prod');

describe('A stage with a restored table', () => {
  const before = getTemplate('prod', prod);
  const after = getTemplate('prod', { ...prod, deploysGradually: false, restoredTable });

  test('retains its original table unchanged', () => {
    const own = before.findResources('AWS::DynamoDB::GlobalTable');
    expect(after.findResources('AWS::DynamoDB::GlobalTable')).toEqual(own);
    const [id = ''] = Object.keys(own);
    expect(own[id]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });

  test('passes the restored table to every function that uses a table, and outputs its name', () => {
    const names = Object.values(after.findResources('AWS::Lambda::Function'))
      .map(({ Properties }) => Properties.Environment.Variables.TABLE_NAME)
      .filter((name) => name !== undefined);
    expect(new Set(names)).toEqual(new Set(['restored']));
    expect(after.findOutputs('TableName')).toEqual({ TableName: { Value: 'restored' } });
  });

  test("reads changes from the restored table's stream", () => {
    after.hasResourceProperties('AWS::Lambda::EventSourceMapping', { EventSourceArn: streamArn });
  });

  test('grants access to the restored table instead of the original table', () => {
    const [id = ''] = Object.keys(before.findResources('AWS::DynamoDB::GlobalTable'));
    const roles = (template: typeof after) =>
      JSON.stringify(template.findResources('AWS::IAM::Role'));
    expect(roles(before)).toContain(id);
    expect(roles(after)).not.toContain(id);
    expect(roles(after)).toContain(':table/restored');
  });
});

test('The steps to switch to a restored table contain the settings and the commands to copy', () => {
  const steps = formatSwitchSteps('prod', restoredTable, 'the-old-one');
  expect(steps).toContain('6. npm run erase-person -- --stage prod --erased-in the-old-one');
  expect(steps.slice(3, 9)).toEqual([
    '1. In lib/stages.ts, add to prod:',
    '     restoredTable: {',
    "       name: 'restored',",
    `       streamArn: '${streamArn}',`,
    '     },',
    '     deploysGradually: false,',
  ]);
});
