import { describe, expect, test } from '@jest/globals';
import { createTableStatements } from '../../../../lib/constructs/functions/table-statements.ts';
import type { TableCalls } from '../../../../shared/contract/operation.ts';

const tableArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/T';
const statementsOf = (calls: TableCalls, hasLeadingKeys?: boolean) =>
  createTableStatements(calls, tableArn, hasLeadingKeys).map((one) => one.toStatementJson());

describe('The grants of a function', () => {
  const calls: TableCalls = {
    conversations: ['BatchGetItem', 'ConditionCheckItem', 'UpdateItem'],
    contacts: ['UpdateItem', 'PutItem'],
  };

  test('require leading keys in every statement by default', () => {
    const statements = statementsOf(calls);
    expect(statements).toHaveLength(4);
    for (const { Condition } of statements) {
      expect(Condition).toMatchObject({ Null: { 'dynamodb:LeadingKeys': 'false' } });
    }
  });

  test('allow transactional writes on all partitions if transactions have no leading keys', () => {
    expect(statementsOf(calls, false)).toEqual([
      ...statementsOf(calls),
      {
        Effect: 'Allow',
        Action: ['dynamodb:ConditionCheckItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
        Resource: tableArn,
        Condition: {
          'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
        },
      },
    ]);
  });

  test('contain no statement for transactions if the function only reads', () => {
    const reads: TableCalls = { conversations: ['BatchGetItem'] };
    expect(statementsOf(reads, false)).toEqual(statementsOf(reads));
  });
});
