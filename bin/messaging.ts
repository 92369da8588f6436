/** The CDK app: `cdk synth -c stage=NAME`. */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readCommitContext } from '../commands/deploy/commit-context.ts';
import { applyDeployContext } from '../commands/deploy/immediate-deploy.ts';
import { bundleFunctions } from '../lib/bundle-functions.ts';
import { addHandlerMetadata } from '../lib/constructs/functions/handler-metadata.ts';
import { functionPaths } from '../lib/function-paths.ts';
import { MessagingStack } from '../lib/messaging-stack.ts';
import { stackNameOf } from '../lib/stage-names.ts';
import { getStage } from '../lib/stages.ts';

const app = new App({ analyticsReporting: false });
const runsHere = Boolean(app.node.tryGetContext('unchecked'));
// Resources follow AWS's recommendations. The code next to an exception states its reason.
if (!runsHere) {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
const stageName: unknown = app.node.tryGetContext('stage');
const stage = applyDeployContext(getStage(stageName), (key) => app.node.tryGetContext(key));
const { account, region } = stage;

const stack = new MessagingStack(app, stackNameOf(String(stageName)), {
  stageName: String(stageName),
  stage,
  commit: readCommitContext((key) => app.node.tryGetContext(key)),
  bundles: await bundleFunctions(functionPaths, { runsHere }),
  description: 'Messaging service: messages, conversations, business listings',
  env: { ...(account && { account }), ...(region && { region }) },
});
if (runsHere) addHandlerMetadata(stack);
