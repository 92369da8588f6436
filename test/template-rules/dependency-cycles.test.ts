import { describe, expect, test } from '@jest/globals';
import { findDependencyCycles } from '../support/template/dependency-cycles.ts';

describe('A dependency cycle', () => {
  const end = { Type: 'Any', Properties: { Name: 'end' } };
  test.each([
    ['a reference', { Ref: 'B' }],
    ['an attribute', { 'Fn::GetAtt': ['B', 'Arn'] }],
    ['the short form of an attribute', { 'Fn::GetAtt': 'B.Arn' }],
    ['a template string', { 'Fn::Sub': `all of \${B}` }],
    ['an attribute in a template string', { 'Fn::Sub': `all of \${B.Arn}` }],
    ['a variable of a template string', { 'Fn::Sub': [`all of \${Some}`, { Some: { Ref: 'B' } }] }],
    ['a deeply nested reference', { 'Fn::Join': ['', [{ 'Fn::If': ['C', { Ref: 'B' }, 'x'] }]] }],
  ])('through %s is found', (_, reference) => {
    const B = { Type: 'Any', DependsOn: ['A'] };
    const A = { Type: 'Any', Properties: { Some: reference } };
    expect(findDependencyCycles({ A, B, end })).toEqual([['A', 'B']]);
  });

  test('through an update policy is found', () => {
    const A = { Type: 'Any', UpdatePolicy: { Group: { Ref: 'B' } } };
    const B = { Type: 'Any', Properties: { Of: { Ref: 'C' } } };
    const C = { Type: 'Any', DependsOn: 'A' };
    expect(findDependencyCycles({ A, B, C, end })).toEqual([['A', 'B', 'C']]);
  });

  test.each([
    ['a pseudo parameter', { Ref: 'AWS::Region' }],
    ['an escaped reference', { 'Fn::Sub': `\${!B}` }],
    ['a variable with the name of a resource', { 'Fn::Sub': [`\${B}`, { B: 'one' }] }],
  ])('does not result from %s', (_, reference) => {
    const A = { Type: 'Any', Properties: { Some: reference } };
    expect(findDependencyCycles({ A, B: { Type: 'Any', DependsOn: 'A' } })).toEqual([]);
  });
});
