/**
 * The CDK app of the roles that GitHub Actions deploys with, once an account:
 * `npx cdk -a 'node bin/ci-roles.ts' deploy -c repository=OWNER/NAME`. See docs/deploy.md.
 */
import { App } from 'aws-cdk-lib';
import { CiRolesStack } from '../lib/ci-roles/ci-roles-stack.ts';

const app = new App({ analyticsReporting: false });
const given = (name: string): unknown => app.node.tryGetContext(name);
const repository = given('repository');
if (typeof repository !== 'string' || !/^[^/:*?\s]+\/[^/:*?\s]+$/.test(repository)) {
  throw new Error('Say which repository: -c repository=OWNER/NAME.');
}

new CiRolesStack(app, 'messaging-ci-roles', {
  repository,
  branch: String(given('branch') ?? 'main'),
  environment: String(given('environment') ?? 'production'),
  knowsGitHub: given('knowsGitHub') === 'true',
  description: 'Roles of GitHub Actions for the messaging service',
});
