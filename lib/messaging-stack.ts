import { CfnOutput, CfnParameter, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import { operations } from '../shared/contract/operations.ts';
import { MessagingApi } from './constructs/messaging-api.ts';
import { MessagingFunction } from './constructs/messaging-function.ts';
import { MessagingTable } from './constructs/messaging-table.ts';
import { OperationFunction } from './constructs/operation-function.ts';
import { PurgeWorker } from './constructs/purge-worker.ts';
import type { Stage } from './stages.ts';

export interface MessagingStackProps extends StackProps {
  stageName: string;
  stage: Stage;
  /** The folder that bundleFunctions made. */
  bundles: string;
}

/** The whole service: a table, a function for each operation of the contract, the authorizer, the API, and the worker that purges. */
export class MessagingStack extends Stack {
  constructor(scope: Construct, id: string, props: MessagingStackProps) {
    super(scope, id, props);
    const { stageName, stage, bundles } = props;

    const table = new MessagingTable(this, 'Table', stage);

    const authorizer = new MessagingFunction(this, 'Authorizer', {
      stage,
      path: 'authorizer',
      bundles,
      description: 'Checks the bearer token',
      environment: this.identity(),
      statements: [],
    });

    const api = new MessagingApi(this, 'Api', {
      stageName,
      stage,
      authorizer: new TokenAuthorizer(this, 'TokenAuthorizer', {
        handler: authorizer,
        resultsCacheTtl: Duration.minutes(5),
      }),
      operations: operations.map((operation) => ({
        operation,
        handler: new OperationFunction(this, { stage, operation, table, bundles }),
      })),
    });

    const purge = new PurgeWorker(this, { stage, table, bundles });

    new CfnOutput(this, 'ApiUrl', { value: api.url, description: 'Base URL: append /v1/…' });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'PurgeFailuresUrl', { value: purge.failures.queueUrl });
  }

  /** Whose tokens are accepted: given when the stack is deployed, and by the local cloud when it runs it. */
  private identity(): Record<string, string> {
    const parameter = (name: string, description: string) =>
      new CfnParameter(this, name, { description, minLength: 1 }).valueAsString;
    return {
      TOKEN_ISSUER: parameter('TokenIssuer', 'The `iss` of accepted tokens'),
      TOKEN_AUDIENCE: parameter('TokenAudience', 'The `aud` of accepted tokens'),
      TOKEN_KEYS_URL: parameter('TokenKeysUrl', 'URL of the issuer’s key set (JWKS)'),
    };
  }
}
