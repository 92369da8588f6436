import { describe, expect, test } from '@jest/globals';
import { createResolver } from '../../../local-cloud/stack/intrinsics.ts';

const resolve = createResolver({
  stackName: 'small',
  parameters: new Map([['Issuer', 'https://issuer.example']]),
  resources: new Map([
    ['Table', { ref: 'small-Table', attributes: { Arn: 'arn:aws:dynamodb:::table/small-Table' } }],
  ]),
});

const sub = (name: string) => `\${${name}}`;

describe('intrinsic functions', () => {
  test.each([
    [{ Ref: 'Issuer' }, 'https://issuer.example'],
    [{ Ref: 'Table' }, 'small-Table'],
    [{ Ref: 'AWS::Region' }, 'us-east-1'],
    [{ 'Fn::GetAtt': ['Table', 'Arn'] }, 'arn:aws:dynamodb:::table/small-Table'],
    [{ 'Fn::Join': ['', ['a', { Ref: 'Table' }, 7]] }, 'asmall-Table7'],
    [
      { 'Fn::Sub': `${sub('Table')} ${sub('Table.Arn')} ${sub('AWS::Region')}` },
      'small-Table arn:aws:dynamodb:::table/small-Table us-east-1',
    ],
    [{ 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
  ])('%j becomes %j', (value, expected) => {
    expect(resolve(value)).toEqual(expected);
  });

  test.each([
    [{ Ref: 'Unknown' }, 'Ref Unknown: the local cloud has no value for it'],
    [{ Ref: 'AWS::NoValue' }, 'Ref AWS::NoValue: the local cloud has no value for it'],
    [{ 'Fn::Sub': sub('!Kept') }, 'Ref !Kept: the local cloud has no value for it'],
    [
      { 'Fn::GetAtt': ['Table', 'Colour'] },
      'Fn::GetAtt Table.Colour: the local cloud has no value for it',
    ],
    [{ 'Fn::Cidr': ['10.0.0.0/8', 2, 8] }, 'The local cloud does not support Fn::Cidr'],
    [{ 'Fn::Select': [3, ['a']] }, 'Fn::Select: there is no item 3'],
  ])('%j is rejected, because the local cloud cannot resolve it', (value, message) => {
    expect(() => resolve(value)).toThrow(message);
  });
});
