import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { isThorough } from '../support/setup/sample-size.ts';
import { findDependencyCycles } from '../support/template/dependency-cycles.ts';
import { getTemplate, prepareTemplates, writeTemplates } from '../support/template/get-template.ts';
import { findSchemaFaults, getTagProperty } from '../support/template/resource-schemas.ts';
import { stageVariants } from '../support/template/stage-variants.ts';

const Resources = v.record(
  v.string(),
  v.looseObject({
    Type: v.string(),
    Properties: v.optional(v.record(v.string(), v.unknown()), {}),
  }),
);

prepareTemplates(stageVariants);

describe.each(stageVariants)('The template of stage %s', (name, stage) => {
  const resources = v.parse(Resources, getTemplate(name, stage).toJSON().Resources);
  const each = Object.entries(resources);

  test('has no dependency cycle', () => {
    expect(findDependencyCycles(resources)).toEqual([]);
  });

  test('matches CloudFormation’s resource schemas', () => {
    const faults = each.flatMap(([id, { Type, Properties }]) =>
      findSchemaFaults(Type, Properties).map((fault) => `${id}: ${fault}`),
    );
    expect(faults).toEqual([]);
    expect(each.length).toBeGreaterThan(100);
  });

  test('has the stage’s tag on every resource that can have tags', () => {
    const tags = each.flatMap(([id, { Type, Properties }]) => {
      // A global table has no tags; its single replica has them.
      const tagLists =
        Type === 'AWS::DynamoDB::GlobalTable'
          ? v.parse(v.array(v.looseObject({})), Properties.Replicas).map(({ Tags }) => Tags)
          : [getTagProperty(Type)].flatMap((property) => (property ? [Properties[property]] : []));
      return tagLists.map((list) => [id, list]);
    });
    const right = [[{ Key: 'messaging-stage', Value: name }], { 'messaging-stage': name }];
    const isRight = (list: unknown) =>
      right.some((one) => JSON.stringify(one) === JSON.stringify(list));
    expect(tags.filter(([, list]) => !isRight(list))).toEqual([]);
    expect(tags.length).toBeGreaterThan(50);
  });
});

test('The CDK’s validation accepts every tested stage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-validated-'));
  const stages = stageVariants.filter(([name]) => isThorough || name === 'everything');
  const wanted = stages.map((stage) => ({ stage, file: join(folder, 'template.json') }));
  expect(writeTemplates(wanted, { validated: true })).toBe('');
  rmSync(folder, { recursive: true });
});

describe('The schema check', () => {
  const whole = { Code: { ZipFile: 'x' }, Role: { Ref: 'Role' } };
  test.each([
    ['an unknown type', 'AWS::Lambda::Funktion', {}, 'AWS::Lambda::Funktion is not known'],
    [
      'an unknown property',
      'AWS::Lambda::Function',
      { ...whole, Time: 3 },
      'AWS::Lambda::Function.Time is not known',
    ],
    [
      'a missing property',
      'AWS::Lambda::Function',
      { Role: 'x' },
      'AWS::Lambda::Function.Code is missing',
    ],
    [
      'a value of the wrong type',
      'AWS::Lambda::Function',
      { ...whole, Timeout: '3 s' },
      'AWS::Lambda::Function.Timeout is "3 s", not an integer',
    ],
    [
      'a value outside an enumeration',
      'AWS::Lambda::Function',
      { ...whole, PackageType: 'Tar' },
      'AWS::Lambda::Function.PackageType is "Tar", not Image or Zip',
    ],
    [
      'an unknown nested property',
      'AWS::Lambda::Function',
      { ...whole, TracingConfig: { Mod: 'Active' } },
      'AWS::Lambda::Function.TracingConfig.Mod is not known',
    ],
    [
      'an unknown property in a list',
      'AWS::Lambda::Function',
      { ...whole, FileSystemConfigs: [{ Some: 'b' }] },
      'AWS::Lambda::Function.FileSystemConfigs.0.Some is not known',
    ],
  ])('rejects %s', (_, type, properties, fault) => {
    expect(findSchemaFaults(type, properties)).toContain(fault);
  });

  test('accepts a valid resource', () => {
    expect(
      findSchemaFaults('AWS::Lambda::Function', { ...whole, Timeout: 3, Architectures: ['arm64'] }),
    ).toEqual([]);
  });
});
