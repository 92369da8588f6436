import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import {
  ManagedPolicy,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';
import { formatForFinding } from '../format-for-finding.ts';
import type { MessagingFunction } from '../messaging-function.ts';
import { BakeTimeHook } from './bake-time-hook.ts';

export interface GradualDeploysProps {
  stage: Stage;
  bundles: string;
  functions: MessagingFunction[];
  /** Alarms that roll back new code before it is accepted. */
  alarms: IAlarm[];
}

/**
 * Time during which new code serves all requests before it is accepted. During the preceding five
 * minutes, the new code serves a tenth of the requests.
 */
export const bakeTime = Duration.minutes(10);

/**
 * Maximum number of deployments that start at the same time. Each deployment makes about three
 * calls to Lambda's control plane, which accepts 15 calls per second per account. CDK users report
 * that more than ten deployments exceed this rate and leave aliases at old versions
 * (github.com/aws/aws-cdk/issues/21516, 9882).
 */
const maxConcurrentDeploys = 5;

/**
 * Shifts a tenth of a function's invocations to new code for five minutes, then all invocations.
 * The deployment ends after ten more minutes. Until then, an alarm rolls back functions through
 * CodeDeploy and other resources through CloudFormation. The deployments of all functions overlap
 * for two reasons: CodeDeploy cannot roll back a finished deployment, and cannot start one while an
 * alarm is firing.
 */
export class GradualDeploys extends Construct {
  constructor(scope: Construct, id: string, props: GradualDeploysProps) {
    super(scope, id);
    const { stage, bundles, functions, alarms } = props;
    const application = new LambdaApplication(this, 'Application');
    const bakeHook = new BakeTimeHook(this, 'ProvingTime', {
      stage,
      bundles,
      duration: bakeTime,
      deploymentGroupsArn: Stack.of(this).formatArn({
        service: 'codedeploy',
        resource: 'deploymentgroup',
        resourceName: `${application.applicationName}/*`,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    });
    const policy = ManagedPolicy.fromAwsManagedPolicyName(
      'service-role/AWSCodeDeployRoleForLambdaLimited',
    );
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [policy],
      inlinePolicies: {
        hook: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [bakeHook.hook.functionArn],
            }),
          ],
        }),
      },
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::${formatForFinding(this, policy.managedPolicyArn)}]`,
      reason:
        'AWS defines what CodeDeploy needs: this is the narrower of its two policies for functions. Another statement permits the hook.',
    });
    for (const { node, alias } of functions) {
      new LambdaDeploymentGroup(this, node.id, {
        application,
        // The statements above are complete; CDK would add permissions for the hook's versions.
        role: role.withoutPolicyUpdates(),
        alias,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms,
        postHook: bakeHook.hook as IFunction,
      });
    }
    staggerDeploys(functions);
  }
}

/** Publishes at most `maxConcurrentDeploys` functions at a time. Their deployments overlap. */
function staggerDeploys(functions: MessagingFunction[]): void {
  for (const [n, { node }] of functions.entries()) {
    const before = functions[n - maxConcurrentDeploys];
    if (before && node.defaultChild) node.defaultChild.node.addDependency(before.currentVersion);
  }
}
