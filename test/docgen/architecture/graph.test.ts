import { describe, expect, test } from '@jest/globals';
import { toGraph } from '../../../docgen/architecture/graph.ts';
import { smallTemplate } from './small-template.ts';

const { boxes, arrows, omittedTypes: omitted } = toGraph(smallTemplate);
const from = (id: string) =>
  arrows.filter((one) => one.from === id).map(({ to, label }) => `${label} ${to}`);

describe('The graph of a template', () => {
  test('has a box for each drawn resource, and lists the omitted types', () => {
    expect(boxes.map(({ id }) => id)).toEqual([
      'Firewall',
      'Api',
      'Send',
      'Change',
      'List',
      'Table0A1B2C3D',
      'Purge',
      'Failures',
      'Topic',
    ]);
    expect(omitted).toEqual(['AWS::Logs::LogGroup']);
  });

  test('has arrows from the firewall to the gateway, and from the gateway to the functions behind the aliases', () => {
    expect(from('Firewall')).toEqual(['forwards Api']);
    expect(from('Api')).toEqual(['calls Send', 'calls Change', 'calls List', 'alarm Topic']);
  });

  test("has an arrow for each access that a function's role grants to the table or an index", () => {
    expect(from('Send')).toEqual(['reads Table0A1B2C3D', 'writes Table0A1B2C3D']);
    expect(from('List')).toEqual(['reads Table0A1B2C3D', 'reads Table0A1B2C3D/gsi1']);
  });

  test('has arrows from the stream to the functions that it invokes, and from these functions to their failure queues', () => {
    expect(from('Table0A1B2C3D/stream')).toEqual(['invokes Purge']);
    expect(from('Purge')).toEqual(['reads Table0A1B2C3D', 'sends Failures', 'sends Failures']);
    expect(from('Failures')).toEqual(['alarm Topic']);
  });

  test('has no arrow from a function whose role is missing', () => {
    const { ListerRole: _, ...Resources } = smallTemplate.Resources;
    expect(toGraph({ Resources }).arrows.filter((one) => one.from === 'List')).toEqual([]);
  });
});
