import { Duration } from 'aws-cdk-lib';
import {
  AppSyncAuthorizationType,
  EventApi,
  type EventApiAuthConfig,
} from 'aws-cdk-lib/aws-appsync';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { channelNamespace } from '../../shared/push/channels.ts';
import { getReservedConcurrency } from '../reserved-concurrency.ts';
import type { Stage } from '../stages.ts';
import { createTableStatements } from './functions/table-statements.ts';
import { MessagingFunction } from './messaging-function.ts';
import type { TableInUse } from './messaging-table.ts';

export interface PushApiProps {
  stageName: string;
  stage: Stage;
  bundles: string;
  /** Table with the memberships of user groups. */
  table: TableInUse;
  /** Issuer and audience of accepted tokens, as in the authorizer's environment. */
  tokenEnvironment: Record<string, string>;
}

/**
 * Push API. Listeners connect and subscribe with their token, which the channel authorizer checks
 * each time. The live worker publishes with the permissions of its role. The authorizer is not
 * deployed gradually: that would create a circular dependency, because other functions have the
 * API's address in their environment.
 */
export class PushApi extends EventApi {
  readonly authorizer: MessagingFunction;
  /** Environment variables of functions that publish. */
  readonly publisherEnvironment: Record<string, string>;
  /** Environment variables of functions that return channels. */
  readonly listenerEnvironment: Record<string, string>;
  /**
   * Environment variables of functions that read feeds. `FEEDS` changes if the stage's events are
   * disabled and enabled again, so that earlier cursors become invalid.
   */
  readonly feedsEnvironment: Record<string, string>;
  /** Environment variables of functions that return or publish events about readers. */
  readonly receiptsEnvironment: Record<string, string>;

  constructor(scope: Construct, id: string, props: PushApiProps) {
    const { stageName, stage, bundles, table, tokenEnvironment } = props;
    const authorizer = new MessagingFunction(scope, 'ChannelAuthorizer', {
      stage,
      path: 'channel-authorizer',
      bundles,
      description: 'Decides who may subscribe to which channel',
      environment: { TABLE_NAME: table.tableName, ...tokenEnvironment },
      statements: createTableStatements({ contacts: ['GetItem'] }, table.tableArn),
      reservedConcurrency: getReservedConcurrency(stage).listeners,
    });
    super(scope, id, {
      apiName: `messaging-${stageName}`,
      authorizationConfig: createAuthConfig(authorizer.live),
    });
    this.authorizer = authorizer;
    this.addChannelNamespace(channelNamespace);
    this.publisherEnvironment = { PUSH_URL: `https://${this.httpDns}/event` };
    this.listenerEnvironment = {
      LIVE_URL: `wss://${this.realtimeDns}/event/realtime`,
      LIVE_HOST: this.httpDns,
    };
    this.feedsEnvironment = { FEEDS: this.apiId };
    this.receiptsEnvironment = stage.readReceipts === false ? { READ_RECEIPTS: 'off' } : {};
  }

  createPublishStatement(): PolicyStatement {
    return new PolicyStatement({
      actions: ['appsync:EventPublish'],
      resources: [`${this.apiArn}/channelNamespace/${channelNamespace}`],
    });
  }
}

/**
 * Pattern of a token: a JSON Web Token with or without a scheme. AppSync refuses other values
 * without invoking the authorizer.
 */
const tokenForm = '^([Tt]oken +|[Bb]earer +)?[A-Za-z0-9_-]+[.][A-Za-z0-9_-]+[.][A-Za-z0-9_-]+$';

const createAuthConfig = (handler: IFunction): EventApiAuthConfig => ({
  authProviders: [
    {
      authorizationType: AppSyncAuthorizationType.LAMBDA,
      // A decision depends on the channel and the time, so AppSync must not cache it.
      lambdaAuthorizerConfig: {
        handler,
        resultsCacheTtl: Duration.seconds(0),
        validationRegex: tokenForm,
      },
    },
    { authorizationType: AppSyncAuthorizationType.IAM },
  ],
  connectionAuthModeTypes: [AppSyncAuthorizationType.LAMBDA],
  defaultSubscribeAuthModeTypes: [AppSyncAuthorizationType.LAMBDA],
  defaultPublishAuthModeTypes: [AppSyncAuthorizationType.IAM],
});
