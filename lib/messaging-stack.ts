import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import { operations } from '../shared/contract/operations.ts';
import { GradualDeploys } from './constructs/gradual-deploys.ts';
import { acceptedTokens } from './constructs/identity.ts';
import { MessagingApi, permissionNamesCaller } from './constructs/messaging-api.ts';
import { MessagingFunction } from './constructs/messaging-function.ts';
import { MessagingTable, tableInUse } from './constructs/messaging-table.ts';
import { Monitoring } from './constructs/monitoring.ts';
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

    const table = tableInUse(new MessagingTable(this, 'Table', stage), stage);

    const authorizer = new MessagingFunction(this, 'Authorizer', {
      stage,
      path: 'authorizer',
      bundles,
      description: 'Checks the bearer token',
      environment: acceptedTokens(this, stage),
      statements: [],
    });
    Validations.of(authorizer).acknowledge(permissionNamesCaller);

    const functions = operations.map(
      (operation) => new OperationFunction(this, { stage, operation, table, bundles }),
    );

    const api = new MessagingApi(this, 'Api', {
      stageName,
      stage,
      authorizer: new TokenAuthorizer(this, 'TokenAuthorizer', {
        handler: authorizer.live,
        resultsCacheTtl: Duration.minutes(5),
      }),
      operations: functions.map(({ operation, live }) => ({ operation, handler: live })),
    });

    const purge = new PurgeWorker(this, { stage, table, bundles });

    const watched = { api, table, authorizer, functions, purge };
    const { requestAlarms } = new Monitoring(this, 'Monitoring', { stage, ...watched });
    if (stage.deploysGradually) {
      const deployed = [authorizer, ...functions, purge];
      new GradualDeploys(this, 'Deploys', { functions: deployed, alarms: requestAlarms });
    }

    new CfnOutput(this, 'ApiUrl', { value: api.baseUrl, description: 'Base URL: append /v1/…' });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'PurgeFailuresUrl', { value: purge.failures.queueUrl });
  }
}
