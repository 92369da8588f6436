/** The CDK app: `cdk synth -c stage=NAME`. */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readCommitContext } from '../commands/deploy/commit-context.ts';
import { applyDeployContext } from '../commands/deploy/immediate-deploy.ts';
import { bundleFunctions } from '../lib/bundle-functions.ts';
import { addHandlerMetadata } from '../lib/constructs/functions/handler-metadata.ts';
import { functionPaths } from '../lib/function-paths.ts';
import { MessagingStack } from '../lib/messaging-stack.ts';
import { toStackName } from '../lib/stage-names.ts';
import { getStage } from '../lib/stages.ts';

const app = new App({ analyticsReporting: false });
const isLocal = Boolean(app.node.tryGetContext('unchecked'));
// Reports violations of AWS's recommendations, except those that lib/ acknowledges with a reason.
if (!isLocal) {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
const stageName: unknown = app.node.tryGetContext('stage');
const stage = applyDeployContext(getStage(stageName), (key) => app.node.tryGetContext(key));
const { account, region } = stage;

const stack = new MessagingStack(app, toStackName(String(stageName)), {
  stageName: String(stageName),
  stage,
  commit: readCommitContext((key) => app.node.tryGetContext(key)),
  bundles: await bundleFunctions(functionPaths, { isLocal }),
  description: 'Messaging service: messages, conversations, business listings',
  env: { ...(account && { account }), ...(region && { region }) },
});
if (isLocal) addHandlerMetadata(stack);
