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
  lookStatements,
  testUserStatements,
} from './statements.ts';

const issuer = 'token.actions.githubusercontent.com';
const audience = 'sts.amazonaws.com';

/** What an account is for. One that has production has no role for anything that runs without an approval. */
export const accountKinds = ['development', 'production'] as const;
export type AccountKind = (typeof accountKinds)[number];

export interface CiRolesProps extends StackProps {
  /** `owner/name` on GitHub. */
  repository: string;
  account: AccountKind;
  /** Whose pushes deploy staging. */
  branch: string;
  /** GitHub's environment whose approval a deployment to production waits for. */
  environment: string;
  /** An account can know GitHub once: true when another stack has done that already. */
  knowsGitHub: boolean;
}

/**
 * Whom GitHub Actions may be in this account; no keys. Where staging is: for a pull request, and for the branch. Where
 * production is: after an approval, and in no other way, as whoever may deploy one stage with the CDK may change
 * everything in the account.
 */
export class CiRolesStack extends Stack {
  constructor(scope: Construct, id: string, props: CiRolesProps) {
    super(scope, id, props);
    const { repository, account, branch, environment } = props;
    const providerArn = props.knowsGitHub
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

    const role = (name: string, subject: string, statements: PolicyStatement[]) => {
      const made = new Role(this, name, {
        description: `GitHub Actions of ${repository}: ${subject}`,
        assumedBy: new WebIdentityPrincipal(providerArn, {
          StringEquals: {
            [`${issuer}:aud`]: audience,
            [`${issuer}:sub`]: `repo:${repository}:${subject}`,
          },
        }),
        inlinePolicies: { permissions: new PolicyDocument({ statements }) },
      });
      new CfnOutput(this, `${name}Arn`, { value: made.roleArn });
    };

    if (account === 'production') {
      role('ProductionRole', `environment:${environment}`, [
        ...deployStatements(this, 'prod'),
        ...lookStatements(this, 'prod'),
      ]);
      return;
    }
    role('DiffRole', 'pull_request', diffStatements(this, 'staging'));
    role('StagingRole', `ref:refs/heads/${branch}`, [
      ...deployStatements(this, 'staging'),
      ...lookStatements(this, 'staging'),
      ...testUserStatements(this, 'staging'),
    ]);
  }
}
