import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Operation, TableCalls } from '../../shared/contract/operation.ts';
import type { Stage } from '../stages.ts';
import { MessagingFunction } from './messaging-function.ts';

export interface OperationFunctionProps {
  stage: Stage;
  operation: Operation;
  table: TableV2;
  bundles: string;
}

/** The function of one operation: its entry, its name and its grants follow from the contract's row. */
export class OperationFunction extends MessagingFunction {
  constructor(scope: Construct, { stage, operation, table, bundles }: OperationFunctionProps) {
    super(scope, constructId(operation.id), {
      stage,
      path: operation.id,
      bundles,
      description: `${operation.method} ${operation.path}: ${operation.summary}`,
      environment: {
        TABLE_NAME: table.tableName,
        ALLOWED_ORIGINS: stage.allowedOrigins.join(','),
      },
      statements: grants(operation.calls, table),
    });
  }
}

/** messages/send → MessagesSend */
const constructId = (operationId: string) =>
  operationId.replace(/(?:^|\/)(\w)/g, (_, letter: string) => letter.toUpperCase());

const grants = (calls: TableCalls, table: TableV2) =>
  Object.entries(calls).map(
    ([target, actions]) =>
      new PolicyStatement({
        actions: actions.map((action: string) => `dynamodb:${action}`),
        resources: [target === 'table' ? table.tableArn : `${table.tableArn}/index/${target}`],
      }),
  );
