/**
 * The CDK app of the roles that GitHub Actions deploys with, once an account: `npx cdk -a 'node
 * bin/ci-roles.ts' deploy -c repository=OWNER/NAME -c account=development`. See docs/deploy.md.
 */
import { App } from 'aws-cdk-lib';
import { accountKinds, CiRolesStack } from '../lib/ci-roles/ci-roles-stack.ts';

const app = new App({ analyticsReporting: false });
const given = (name: string): unknown => app.node.tryGetContext(name);
const repository = given('repository');
if (typeof repository !== 'string' || !/^[^/:*?\s]+\/[^/:*?\s]+$/.test(repository)) {
  throw new Error('Say which repository: -c repository=OWNER/NAME.');
}
const account = accountKinds.find((kind) => kind === given('account'));
if (!account) {
  throw new Error(
    `Say what the account is for: -c account=KIND, one of ${accountKinds.join(', ')}. An account with both is one of production.`,
  );
}

new CiRolesStack(app, 'messaging-ci-roles', {
  repository,
  account,
  branch: String(given('branch') ?? 'main'),
  environment: String(given('environment') ?? 'production'),
  hasGitHubProvider: given('knowsGitHub') === 'true',
  description: 'Roles of GitHub Actions for the messaging service',
});
