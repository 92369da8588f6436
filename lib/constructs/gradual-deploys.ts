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
import type { Stage } from '../stages.ts';
import { asShown } from './as-shown.ts';
import type { MessagingFunction } from './messaging-function.ts';
import { ProvingTime } from './proving-time.ts';

export interface GradualDeploysProps {
  stage: Stage;
  bundles: string;
  functions: MessagingFunction[];
  /** Any of them takes new code back until it counts as good. */
  alarms: IAlarm[];
}

/** With all calls, after five minutes with a tenth of them. */
export const provingTime = Duration.minutes(10);

/**
 * Lambda takes fifteen calls a second about an account's functions and aliases, of CloudFormation and of CodeDeploy
 * together. So many deployments begin at once, with some three calls each.
 */
const abreast = 5;

/**
 * New code of a function gets a tenth of its calls for five minutes, then all of them, and counts as good after ten more.
 * If an alarm is raised until then, everything that was deployed is taken back: each function by CodeDeploy, and the rest
 * by CloudFormation.
 *
 * All functions are under way at the same time, and each has all the alarms. One after the other would be gentler, but
 * what had come to its end could not be taken back: while an alarm is on, CodeDeploy begins nothing.
 */
export class GradualDeploys extends Construct {
  constructor(scope: Construct, id: string, props: GradualDeploysProps) {
    super(scope, id);
    const { stage, bundles, functions, alarms } = props;
    const application = new LambdaApplication(this, 'Application');
    const proving = new ProvingTime(this, 'ProvingTime', {
      stage,
      bundles,
      lasts: provingTime,
      deploymentsOf: Stack.of(this).formatArn({
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
              resources: [proving.hook.functionArn],
            }),
          ],
        }),
      },
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::${asShown(this, policy.managedPolicyArn)}]`,
      reason:
        'What CodeDeploy needs is for AWS to know: this is the narrower of its two policies for functions. The one hook is granted beside it.',
    });
    for (const { node, alias } of functions) {
      new LambdaDeploymentGroup(this, node.id, {
        application,
        // All that it may do is stated above: CDK would add the hook's versions.
        role: role.withoutPolicyUpdates(),
        alias,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms,
        postHook: proving.hook as IFunction,
      });
    }
    fewAbreast(functions);
  }
}

/** A function is published only when another one has been: deployments begin some seconds apart, and then overlap. */
function fewAbreast(functions: MessagingFunction[]): void {
  for (const [n, { node }] of functions.entries()) {
    const before = functions[n - abreast];
    if (before && node.defaultChild) node.defaultChild.node.addDependency(before.currentVersion);
  }
}
