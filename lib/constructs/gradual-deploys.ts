import { Validations } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { MessagingFunction } from './messaging-function.ts';

export interface GradualDeploysProps {
  functions: MessagingFunction[];
  /** Any of them takes new code back while it is being let in. */
  alarms: IAlarm[];
}

/**
 * New code of a function gets a tenth of its calls for five minutes, and then all of them. If an alarm is raised
 * meanwhile, everything that was deployed is taken back: CloudFormation undoes the whole update.
 */
export class GradualDeploys extends Construct {
  constructor(scope: Construct, id: string, { functions, alarms }: GradualDeploysProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
      ],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason:
        'What CodeDeploy needs is for AWS to know: this is the narrower of its two policies for functions, as no hooks are used.',
    });
    for (const { node, alias } of functions) {
      new LambdaDeploymentGroup(this, node.id, {
        application,
        role,
        alias,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms,
      });
    }
  }
}
