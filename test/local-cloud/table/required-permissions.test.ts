import { describe, expect, test } from '@jest/globals';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import {
  getPartitionKeys,
  getRequiredPermissions,
} from '../../../local-cloud/table/required-permissions.ts';
import { createAssembly, createTable } from '../small-stack.ts';

const TableName = 'small-T';
const table = `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`;
const partitionKeys = getPartitionKeys(
  readStack('small', createAssembly('', createTable('T')).template),
);

const S = (value: string) => ({ S: value });
const Key = { pk: S('a'), sk: S('1') };
const put = (pk: string) => ({ PutRequest: { Item: { pk: S(pk), note: S('x') } } });
const query = (KeyConditionExpression: string) => ({
  TableName,
  KeyConditionExpression,
  ExpressionAttributeNames: { '#p': 'pk' },
  ExpressionAttributeValues: { ':p': S('a'), ':s': S('1') },
});

test('The partition keys of a table and its indexes are read from the template', () => {
  expect(Object.fromEntries(partitionKeys)).toEqual({
    [table]: 'pk',
    [`${table}/index/byOther`]: 'other',
  });
});

describe('The permissions that a call needs', () => {
  test.each([
    ['GetItem', { TableName, Key }, [['GetItem', table, 'a']]],
    ['UpdateItem', { TableName, Key }, [['UpdateItem', table, 'a']]],
    ['PutItem', { TableName, Item: { ...Key, note: S('b') } }, [['PutItem', table, 'a']]],
    ['PutItem', { TableName, Item: { pk: { N: '7' } } }, [['PutItem', table, '7']]],
    ['Query', query('pk = :p'), [['Query', table, 'a']]],
    ['Query', query('#p = :p AND sk = :s'), [['Query', table, 'a']]],
    ['Query', query('(sk BETWEEN :s AND :s) AND (#p=:p)'), [['Query', table, 'a']]],
    ['Query', query('sk >= :s AND pk = :p'), [['Query', table, 'a']]],
    [
      'Query',
      { ...query('other = :p AND pk = :s'), IndexName: 'byOther' },
      [['Query', `${table}/index/byOther`, 'a']],
    ],
    [
      'BatchGetItem',
      { RequestItems: { [TableName]: { Keys: [Key, { pk: S('b') }, Key] }, U: {} } },
      [
        ['BatchGetItem', table, 'a', 'b'],
        ['BatchGetItem', table.replace(/small-T$/, 'U')],
      ],
    ],
    [
      'BatchWriteItem',
      { RequestItems: { [TableName]: [put('a'), { DeleteRequest: { Key: { pk: S('b') } } }] } },
      [['BatchWriteItem', table, 'a', 'b']],
    ],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName, Item: { pk: S('a') } } },
          { ConditionCheck: { TableName, Key: { pk: S('b') } } },
        ],
      },
      [
        ['PutItem', table, 'a'],
        ['ConditionCheckItem', table, 'b'],
      ],
    ],
    [
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName, Key } }] },
      [['GetItem', table, 'a']],
    ],
    ['PutItem', { TableName, Item: { note: S('no key') } }, [['PutItem', table]]],
    ['GetItem', { TableName: 'U', Key }, [['GetItem', table.replace(/small-T$/, 'U')]]],
    ['ListTables', {}, [['ListTables', '*']]],
  ])('include the action, table or index, and partitions: %s %j', (operation, body, expected) => {
    expect(getRequiredPermissions(operation, body, partitionKeys)).toEqual(
      expected.map(([action, resource, ...leadingKeys]) => ({
        action: `dynamodb:${action}`,
        resource,
        leadingKeys,
        ...(operation.startsWith('Transact') && { enclosingOperation: operation }),
      })),
    );
  });
});

test('A query whose partition cannot be determined causes an error that names the table', () => {
  for (const expression of ['', 'begins_with(pk, :p)', 'pk <= :p', 'sk = :s']) {
    expect(() => getRequiredPermissions('Query', query(expression), partitionKeys)).toThrow(
      `${table}: cannot determine which partition the query reads`,
    );
  }
});
