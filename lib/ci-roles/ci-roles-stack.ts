import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import {
  OidcProviderNative,
  PolicyDocument,
  type PolicyStatement,
  Role,
  WebIdentityPrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import {
  deployStatements,
  diffStatements,
  testUserStatements,
  verifyStatements,
} from './statements.ts';

const issuer = 'token.actions.githubusercontent.com';
const audience = 'sts.amazonaws.com';

/** Types of accounts. In a production account, every role requires approval. */
export const accountKinds = ['development', 'production'] as const;
export type AccountKind = (typeof accountKinds)[number];

export interface CiRolesProps extends StackProps {
  /** `owner/name` on GitHub. */
  repository: string;
  account: AccountKind;
  /** Branch whose pushes deploy staging. */
  branch: string;
  /** GitHub environment whose reviewers must approve a production deployment. */
  environment: string;
  /**
   * Whether another stack has registered GitHub as an identity provider. An account can register
   * GitHub only once.
   */
  hasGitHubProvider: boolean;
}

/**
 * Roles that GitHub Actions assumes through OpenID Connect, so that GitHub stores no access keys. A
 * development account has one role for pull requests and one for pushes to the branch. A production
 * account has one role, which requires approval, because a role that deploys one stage with the CDK
 * can change the whole account.
 */
export class CiRolesStack extends Stack {
  constructor(scope: Construct, id: string, props: CiRolesProps) {
    super(scope, id, props);
    const { repository, account, branch, environment } = props;
    const providerArn = props.hasGitHubProvider
      ? this.formatArn({
          service: 'iam',
          region: '',
          resource: 'oidc-provider',
          resourceName: issuer,
        })
      : new OidcProviderNative(this, 'GitHub', {
          url: `https://${issuer}`,
          clientIds: [audience],
        }).oidcProviderArn;

    const createRole = (name: string, subject: string, statements: PolicyStatement[]) => {
      const createdRole = new Role(this, name, {
        description: `GitHub Actions of ${repository}: ${subject}`,
        assumedBy: new WebIdentityPrincipal(providerArn, {
          StringEquals: {
            [`${issuer}:aud`]: audience,
            [`${issuer}:sub`]: `repo:${repository}:${subject}`,
          },
        }),
        inlinePolicies: { permissions: new PolicyDocument({ statements }) },
      });
      new CfnOutput(this, `${name}Arn`, { value: createdRole.roleArn });
    };

    if (account === 'production') {
      createRole('ProductionRole', `environment:${environment}`, [
        ...deployStatements(this, 'prod'),
        ...verifyStatements(this, 'prod'),
      ]);
      return;
    }
    createRole('DiffRole', 'pull_request', diffStatements(this, 'staging'));
    createRole('StagingRole', `ref:refs/heads/${branch}`, [
      ...deployStatements(this, 'staging'),
      ...verifyStatements(this, 'staging'),
      ...testUserStatements(this, 'staging'),
    ]);
  }
}
