import {
  type Acknowledgment,
  Aws,
  Duration,
  RemovalPolicy,
  Size,
  Stack,
  Validations,
} from 'aws-cdk-lib';
import {
  CfnRestApi,
  EndpointType,
  type IAuthorizer,
  LambdaIntegration,
  ResourceBase,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { errorsPath } from '../../../shared/contract/errors.ts';
import { requestHeaders } from '../../../shared/contract/headers.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import type { Stage } from '../../stages.ts';
import { formatForFinding } from '../format-for-finding.ts';
import type { PushApi } from '../push-api.ts';
import { accessLog } from './access-log.ts';
import { addCustomDomain } from './custom-domain.ts';
import { addFirewall } from './firewall.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { addNotFoundMethod } from './not-found.ts';
import { completePreflights } from './preflights.ts';
import { addReferenceMethods, referenceThrottling } from './reference-function.ts';
import { createSamplingRule } from './trace-sampling.ts';

export interface MessagingApiProps {
  stageName: string;
  stage: Stage;
  authorizer: IAuthorizer;
  operations: { operation: Operation; handler: IFunction }[];
  /** Function that serves the reference; undefined in a stage without a reference. */
  reference: IFunction | undefined;
  /** Push API; undefined in a stage without events. */
  push: PushApi | undefined;
}

/**
 * The REST API. Each operation is a method behind the authorizer; preflights and the reference are
 * public. Other paths and methods return 404, and the gateway's errors have the common format.
 */
export class MessagingApi extends RestApi {
  /** Base URL of the contract's paths. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, props: MessagingApiProps) {
    const { stageName, stage, authorizer, operations, reference, push } = props;
    const apiName = `messaging-${stageName}`;
    super(scope, id, {
      restApiName: apiName,
      description: 'Messages, conversations and business listings',
      endpointTypes: [EndpointType.REGIONAL],
      // A smaller reply fits into one packet without compression.
      minCompressionSize: Size.bytes(1024),
      // All stages of an account share the role that the gateway uses to write logs, so the role
      // must outlive this stack.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      // With a custom domain, the default host name would be a second address of the API.
      disableExecuteApiEndpoint: stage.domain !== undefined,
      deployOptions: {
        stageName,
        throttlingRateLimit: stage.throttling.requestsPerSecond,
        throttlingBurstLimit: stage.throttling.burst,
        tracingEnabled: true,
        ...(reference && { methodOptions: referenceThrottling }),
        ...accessLog(scope, stage),
      },
      defaultCorsPreflightOptions: {
        allowOrigins: [...stage.allowedOrigins],
        allowHeaders: [...requestHeaders],
        allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
        maxAge: Duration.hours(2),
      },
    });
    for (const { operation, handler } of operations) {
      const integration = new LambdaIntegration(
        handler,
        // A function shared by several operations has one permission for all of them, because a
        // stack has at most 500 resources.
        operation.sharedFunction ? { scopePermissionToMethod: false } : { allowTestInvoke: false },
      );
      this.root
        .resourceForPath(operation.path)
        .addMethod(operation.method, integration, { authorizer });
    }
    if (reference) addReferenceMethods(this, reference);
    this.root.addResource('{unknown+}');
    const errorsPage = getErrorsPageUrl(this, stageName, stage);
    for (const resource of this.node.findAll()) {
      if (resource instanceof ResourceBase) addNotFoundMethod(resource, stage, errorsPage);
    }
    completePreflights(this);
    addGatewayResponses(this, stage, errorsPage);
    requireTls12(this);
    this.baseUrl = stage.domain ? `https://${stage.domain.name}` : this.url;
    if (stage.domain) addCustomDomain(scope, this, stage.domain);
    createSamplingRule(scope, { apiName, stageName, stage });
    const { firewall: limits } = stage;
    if (limits) addFirewall(scope, { stage, limits, api: this, push, errorsPage });
    acknowledgeFindings(this, stage);
  }
}

/**
 * Returns the URL of the errors page. Spells out the stage name, because a reference to the stage
 * would create a circular dependency through the gateway responses.
 */
function getErrorsPageUrl(api: RestApi, stageName: string, { docs, domain }: Stage): string {
  if (docs) return docs.errorsPage;
  const { region, urlSuffix } = Stack.of(api);
  const host = domain
    ? domain.name
    : `${api.restApiId}.execute-api.${region}.${urlSuffix}/${stageName}`;
  return `https://${host}${errorsPath}`;
}

/** Acknowledges the finding about the gateway's permissions to invoke functions. */
export const permissionAcknowledgment: Acknowledgment = {
  id: 'CT.LAMBDA.PR.2',
  reason:
    'The source ARN restricts each permission to a method, the API or the authorizer of this account. The rule cannot evaluate an ARN built with `Fn::Join`.',
};

function acknowledgeFindings(api: RestApi, stage: Stage): void {
  Validations.of(api).acknowledge(
    permissionAcknowledgment,
    {
      id: 'AwsSolutions-APIG2',
      reason: 'Handlers validate requests against the contract and return precise errors.',
    },
    {
      id: 'AwsSolutions-COG4',
      reason: 'A stage can have any issuer, so an authorizer of this service checks the tokens.',
    },
  );
  const noExecutionLogReason =
    'The access log has a line per request, with the cause of a failure. An execution log would either add no details or contain message text. Its retention cannot be set.';
  Validations.of(api.deploymentStage).acknowledge(
    { id: 'AwsSolutions-APIG6', reason: noExecutionLogReason },
    { id: 'CT.APIGATEWAY.PR.1', reason: noExecutionLogReason },
  );
  if (!stage.firewall) {
    Validations.of(api.deploymentStage).acknowledge({
      id: 'AwsSolutions-APIG3',
      reason: 'A firewall has a monthly price: lib/stages.ts lists the stages that have one.',
    });
  }
  Validations.of(api.node.findChild('CloudWatchRole')).acknowledge({
    id: `AwsSolutions-IAM4[Policy::arn:${formatForFinding(api, Aws.PARTITION)}:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]`,
    reason:
      'API Gateway requires this policy to write the logs of all APIs in the account and region.',
  });
}

/** Requires TLS 1.2 or newer. By default, API Gateway's host name also accepts TLS 1.0. */
function requireTls12({ node: { defaultChild } }: RestApi): void {
  if (!(defaultChild instanceof CfnRestApi))
    throw new Error('The REST API has no CfnRestApi child.');
  defaultChild.securityPolicy = SecurityPolicy.TLS13_1_2_PQ_2025_09;
  defaultChild.endpointAccessMode = 'BASIC';
}
