import * as v from 'valibot';
import { arn } from './account.ts';

/** A call needs each of these granted: an action on a table or on one of its indexes. */
export interface Grant {
  action: string;
  resource: string;
}

const TableName = v.string();

const Call = v.object({
  TableName: v.optional(TableName),
  IndexName: v.optional(v.string()),
  RequestItems: v.optional(v.record(TableName, v.unknown())),
  TransactItems: v.optional(v.array(v.record(v.string(), v.object({ TableName })))),
});

/** The action that a part of a transaction needs. */
const transactionActions: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

const tableArn = (name: string) =>
  name.startsWith('arn:') ? name : arn('dynamodb', `table/${name}`);

/** What IAM asks for before DynamoDB carries out the call. */
export function grantsFor(operation: string, body: unknown): Grant[] {
  const call = v.safeParse(Call, body);
  if (!call.success) return [];
  const { TableName, IndexName, RequestItems, TransactItems } = call.output;
  const grant = (action: string, resource: string): Grant => ({
    action: `dynamodb:${action}`,
    resource,
  });
  if (TransactItems) {
    return TransactItems.flatMap((item) =>
      Object.entries(item).map(([part, { TableName }]) =>
        grant(transactionActions[part] ?? part, tableArn(TableName)),
      ),
    );
  }
  if (RequestItems) {
    return Object.keys(RequestItems).map((table) => grant(operation, tableArn(table)));
  }
  if (TableName === undefined) return [grant(operation, '*')];
  const index = IndexName === undefined ? '' : `/index/${IndexName}`;
  return [grant(operation, `${tableArn(TableName)}${index}`)];
}
