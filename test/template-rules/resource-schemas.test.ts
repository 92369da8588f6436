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

describe.each(stageVariants)('CloudFormation can make all of stage %s', (name, stage) => {
  const resources = v.parse(Resources, getTemplate(name, stage).toJSON().Resources);
  const each = Object.entries(resources);

  test('as nothing waits for itself', () => {
    expect(findDependencyCycles(resources)).toEqual([]);
  });

  test('as each resource is what its official schema says', () => {
    const faults = each.flatMap(([id, { Type, Properties }]) =>
      findSchemaFaults(Type, Properties).map((fault) => `${id}: ${fault}`),
    );
    expect(faults).toEqual([]);
    expect(each.length).toBeGreaterThan(100);
  });

  test('and gives each that can have tags that of the stage', () => {
    const tags = each.flatMap(([id, { Type, Properties }]) => {
      // The table's own schema has none: they are those of its replicas, of which there is one.
      const places =
        Type === 'AWS::DynamoDB::GlobalTable'
          ? v.parse(v.array(v.looseObject({})), Properties.Replicas).map(({ Tags }) => Tags)
          : [getTagProperty(Type)].flatMap((place) => (place ? [Properties[place]] : []));
      return places.map((said) => [id, said]);
    });
    const right = [[{ Key: 'messaging-stage', Value: name }], { 'messaging-stage': name }];
    const isRight = (said: unknown) =>
      right.some((one) => JSON.stringify(one) === JSON.stringify(said));
    expect(tags.filter(([, said]) => !isRight(said))).toEqual([]);
    expect(tags.length).toBeGreaterThan(50);
  });
});

test('The CDK’s own validation has nothing against any stage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-validated-'));
  const some = stageVariants.filter(([name]) => isThorough || name === 'everything');
  const wanted = some.map((stage) => ({ stage, file: join(folder, 'template.json') }));
  expect(writeTemplates(wanted, { validated: true })).toBe('');
  rmSync(folder, { recursive: true });
});

describe('The official schemas refuse', () => {
  const whole = { Code: { ZipFile: 'x' }, Role: { Ref: 'Role' } };
  test.each([
    ['a type that there is not', 'AWS::Lambda::Funktion', {}, 'AWS::Lambda::Funktion is not known'],
    [
      'a property that there is not',
      'AWS::Lambda::Function',
      { ...whole, Time: 3 },
      'AWS::Lambda::Function.Time is not known',
    ],
    [
      'what is missing',
      'AWS::Lambda::Function',
      { Role: 'x' },
      'AWS::Lambda::Function.Code is missing',
    ],
    [
      'another type',
      'AWS::Lambda::Function',
      { ...whole, Timeout: '3 s' },
      'AWS::Lambda::Function.Timeout is "3 s", not an integer',
    ],
    [
      'a word that is none of those',
      'AWS::Lambda::Function',
      { ...whole, PackageType: 'Tar' },
      'AWS::Lambda::Function.PackageType is "Tar", not Image or Zip',
    ],
    [
      'what is deep inside',
      'AWS::Lambda::Function',
      { ...whole, TracingConfig: { Mod: 'Active' } },
      'AWS::Lambda::Function.TracingConfig.Mod is not known',
    ],
    [
      'what is in a list',
      'AWS::Lambda::Function',
      { ...whole, FileSystemConfigs: [{ Some: 'b' }] },
      'AWS::Lambda::Function.FileSystemConfigs.0.Some is not known',
    ],
  ])('%s', (_, type, properties, fault) => {
    expect(findSchemaFaults(type, properties)).toContain(fault);
  });

  test('nothing else', () => {
    expect(
      findSchemaFaults('AWS::Lambda::Function', { ...whole, Timeout: 3, Architectures: ['arm64'] }),
    ).toEqual([]);
  });
});
