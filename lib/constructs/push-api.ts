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
import type { Stage } from '../stages.ts';
import { MessagingFunction } from './messaging-function.ts';

export interface PushApiProps {
  stageName: string;
  stage: Stage;
  bundles: string;
  /** Whose tokens are accepted, as the authorizer's environment. */
  acceptedTokens: Record<string, string>;
}

/**
 * Where people listen to what happens. They connect and subscribe by their token, which a function checks each time; the
 * service publishes by its role. New code of the function serves at once: others have the API's address in their
 * environment, so that all that its alias waits for would wait for itself. AppSync keeps no log: the function has a line
 * for each decision, whoever publishes for each failure, and there is nothing else that could fail here.
 */
export class PushApi extends EventApi {
  readonly authorizer: MessagingFunction;
  /** What whoever publishes has to find in its environment. */
  readonly publisherEnvironment: Record<string, string>;
  /** What whoever tells people where to listen has to find in its environment. */
  readonly listenerEnvironment: Record<string, string>;
  /**
   * What whoever reads feeds has to find in its environment: a name that comes and goes with the stage's events. So the cursors
   * of feeds are of one time in which these were told without a break.
   */
  readonly feedsEnvironment: Record<string, string>;

  constructor(scope: Construct, id: string, props: PushApiProps) {
    const { stageName, stage, bundles, acceptedTokens } = props;
    const authorizer = new MessagingFunction(scope, 'ChannelAuthorizer', {
      stage,
      path: 'channel-authorizer',
      bundles,
      description: 'Says who may listen to which channel',
      environment: acceptedTokens,
      statements: [],
    });
    super(scope, id, {
      apiName: `messaging-${stageName}`,
      authorizationConfig: byTokenOrRole(authorizer.live),
    });
    this.authorizer = authorizer;
    this.addChannelNamespace(channelNamespace);
    this.publisherEnvironment = { PUSH_URL: `https://${this.httpDns}/event` };
    this.listenerEnvironment = {
      LIVE_URL: `wss://${this.realtimeDns}/event/realtime`,
      LIVE_HOST: this.httpDns,
    };
    this.feedsEnvironment = { FEEDS: this.apiId };
  }

  /** What lets a function publish, and nothing else. */
  publishes(): PolicyStatement {
    return new PolicyStatement({
      actions: ['appsync:EventPublish'],
      resources: [`${this.apiArn}/channelNamespace/${channelNamespace}`],
    });
  }
}

const byTokenOrRole = (handler: IFunction): EventApiAuthConfig => ({
  authProviders: [
    {
      authorizationType: AppSyncAuthorizationType.LAMBDA,
      // What it says is of one channel and one moment: none of it is kept.
      lambdaAuthorizerConfig: { handler, resultsCacheTtl: Duration.seconds(0) },
    },
    { authorizationType: AppSyncAuthorizationType.IAM },
  ],
  connectionAuthModeTypes: [AppSyncAuthorizationType.LAMBDA],
  defaultSubscribeAuthModeTypes: [AppSyncAuthorizationType.LAMBDA],
  defaultPublishAuthModeTypes: [AppSyncAuthorizationType.IAM],
});
