/** CDK app with the roles that GitHub Actions uses for deployments: see docs/deploy.md. */
import { App } from 'aws-cdk-lib';
import { accountKinds, CiRolesStack } from '../lib/ci-roles/ci-roles-stack.ts';

const app = new App({ analyticsReporting: false });
const getContext = (name: string): unknown => app.node.tryGetContext(name);
const repository = getContext('repository');
if (typeof repository !== 'string' || !/^[^/:*?\s]+\/[^/:*?\s]+$/.test(repository)) {
  throw new Error('Missing or invalid repository: pass -c repository=OWNER/NAME.');
}
const account = accountKinds.find((kind) => kind === getContext('account'));
if (!account) {
  throw new Error(
    `Missing or unknown account type: pass -c account=KIND, one of ${accountKinds.join(', ')}. An account with both kinds of stages is a production account.`,
  );
}

new CiRolesStack(app, 'messaging-ci-roles', {
  repository,
  account,
  branch: String(getContext('branch') ?? 'main'),
  environment: String(getContext('environment') ?? 'production'),
  hasGitHubProvider: getContext('knowsGitHub') === 'true',
  description: 'Roles of GitHub Actions for the messaging service',
});
