import { describe, expect, test } from '@jest/globals';
import { parseEventPattern } from '../../../local-cloud/streams/event-pattern.ts';

const event = {
  eventName: 'MODIFY',
  dynamodb: {
    Keys: { pk: { S: 'CONVERSATION#7' } },
    NewImage: { deleted_at: { N: '5' }, tags: { SS: ['a', 'b'] }, none: { NULL: true } },
    SizeBytes: 120,
  },
};

describe('a filter of stream records', () => {
  test.each([
    [{}, true],
    [{ eventName: ['MODIFY'] }, true],
    [{ eventName: ['INSERT', 'REMOVE'] }, false],
    [{ eventName: ['MODIFY'], eventSource: ['x'] }, false],
    [{ dynamodb: { Keys: { pk: { S: [{ prefix: 'CONVERSATION#' }] } } } }, true],
    [{ dynamodb: { Keys: { pk: { S: [{ prefix: 'CONTACT#' }] } } } }, false],
    [{ dynamodb: { NewImage: { deleted_at: { N: [{ exists: true }] } } } }, true],
    [{ dynamodb: { NewImage: { deleted_at: { N: [{ exists: false }] } } } }, false],
    [{ dynamodb: { OldImage: { deleted_at: { N: [{ exists: false }] } } } }, true],
    [{ dynamodb: { NewImage: { tags: { SS: ['b'] } } } }, true],
    [{ dynamodb: { NewImage: { none: { NULL: [true] } } } }, true],
  ])('%j matches the record: %s', (pattern, wanted) => {
    expect(parseEventPattern(JSON.stringify(pattern))(event)).toBe(wanted);
  });

  test.each([
    { eventName: 'MODIFY' },
    { eventName: [{ wildcard: '*' }] },
    { SizeBytes: [{ numeric: ['>', 1] }] },
    { eventName: [{ suffix: 'Y' }] },
    { eventName: [{ 'anything-but': 'REMOVE' }] },
    { eventName: [{ prefix: 'M', exists: true }] },
    { $or: [{ eventName: ['INSERT'] }] },
  ])('%j is rejected as unsupported', (pattern) => {
    expect(() => parseEventPattern(JSON.stringify(pattern))).toThrow('Unsupported event pattern');
  });
});
