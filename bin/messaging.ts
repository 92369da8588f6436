/** The CDK app: `cdk synth -c stage=NAME`. */
import { App } from 'aws-cdk-lib';
import { bundleFunctions } from '../lib/bundles.ts';
import { MessagingStack } from '../lib/messaging-stack.ts';
import { stageNamed } from '../lib/stages.ts';
import { operations } from '../shared/contract/operations.ts';

const app = new App({ analyticsReporting: false });
const stageName: unknown = app.node.tryGetContext('stage');
const stage = stageNamed(stageName);

new MessagingStack(app, `messaging-${stageName}`, {
  stageName: String(stageName),
  stage,
  bundles: bundleFunctions(['authorizer', 'purge', ...operations.map(({ id }) => id)]),
  description: 'Messaging service: messages, conversations, business listings',
});
