import { type Acknowledgment, Aws, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
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
import { errorsPath } from '../../shared/contract/errors.ts';
import { requestHeaders } from '../../shared/contract/headers.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import type { Stage } from '../stages.ts';
import { accessLog } from './access-log.ts';
import { asShown } from './as-shown.ts';
import { serveAt } from './custom-domain.ts';
import { guard } from './firewall.ts';
import { shapeGatewayResponses } from './gateway-responses.ts';
import { answerNotFound } from './not-found.ts';
import { completePreflights } from './preflights.ts';
import { referenceThrottling, serveReference } from './reference.ts';
import { sampleTraces } from './trace-sampling.ts';

export interface MessagingApiProps {
  stageName: string;
  stage: Stage;
  authorizer: IAuthorizer;
  /** Each operation of the contract with the function that serves it. */
  operations: { operation: Operation; handler: IFunction }[];
  /** Serves the reference, where the stage does. */
  reference: IFunction | undefined;
}

/**
 * The REST API. Each operation is a method behind the authorizer; whatever else is asked of any path answers 404, and
 * everything that the gateway itself refuses has the one error shape.
 */
export class MessagingApi extends RestApi {
  /** What the paths of the contract are appended to. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, props: MessagingApiProps) {
    const { stageName, stage, authorizer, operations, reference } = props;
    const apiName = `messaging-${stageName}`;
    super(scope, id, {
      restApiName: apiName,
      description: 'Messages, conversations and business listings',
      endpointTypes: [EndpointType.REGIONAL],
      // The gateway logs by a role that is set for the whole account: it must outlive this stack, for other stages.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      // With a name of its own, the API is not reached by another that no certificate, firewall or log may know.
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
      const integration = new LambdaIntegration(handler, { allowTestInvoke: false });
      this.root
        .resourceForPath(operation.path)
        .addMethod(operation.method, integration, { authorizer });
    }
    if (reference) serveReference(this, reference);
    this.root.addResource('{unknown+}');
    const errorsPage = errorsPageOf(this, stageName, stage);
    for (const resource of this.node.findAll()) {
      if (resource instanceof ResourceBase) answerNotFound(resource, stage, errorsPage);
    }
    completePreflights(this);
    shapeGatewayResponses(this, stage, errorsPage);
    requireTls12(this);
    this.baseUrl = stage.domain ? `https://${stage.domain.name}` : this.url;
    if (stage.domain) serveAt(scope, this, stage.domain);
    sampleTraces(scope, { apiName, stageName, stage });
    if (stage.firewall) guard(scope, this, errorsPage, stage, stage.firewall);
    acknowledgeFindings(this, stage);
  }
}

/**
 * Where the errors of the gateway and of the firewall are explained. The stage's own page stands at the API's address: of that
 * the stage's name is spelled out, as a reference to the stage would be a circle, since it waits for the gateway's responses.
 */
function errorsPageOf(api: RestApi, stageName: string, { docs, domain }: Stage): string {
  if (docs) return docs.errorsPage;
  const { region, urlSuffix } = Stack.of(api);
  const host = domain
    ? domain.name
    : `${api.restApiId}.execute-api.${region}.${urlSuffix}/${stageName}`;
  return `https://${host}${errorsPath}`;
}

/** Of the permissions by which the gateway calls functions. */
export const permissionNamesCaller: Acknowledgment = {
  id: 'CT.LAMBDA.PR.2',
  reason:
    'Each is for one method, or the authorizer, by its ARN with the account in it: the rule does not read an ARN that is put together.',
};

/** What AWS's checks would have otherwise, and why it is as it is. */
function acknowledgeFindings(api: RestApi, stage: Stage): void {
  Validations.of(api).acknowledge(
    permissionNamesCaller,
    {
      id: 'AwsSolutions-APIG2',
      reason: 'Handlers check requests against the contract, and say what is wrong where.',
    },
    {
      id: 'AwsSolutions-COG4',
      reason: 'Tokens may be of any issuer: an authorizer of our own checks them.',
    },
  );
  const noExecutionLog =
    'The access log has a line for each request, with what failed. An execution log says no more of failures, or else has what people write, and nobody sets how long it is kept.';
  Validations.of(api.deploymentStage).acknowledge(
    { id: 'AwsSolutions-APIG6', reason: noExecutionLog },
    { id: 'CT.APIGATEWAY.PR.1', reason: noExecutionLog },
  );
  if (!stage.firewall) {
    Validations.of(api.deploymentStage).acknowledge({
      id: 'AwsSolutions-APIG3',
      reason: 'A firewall costs by the month: lib/stages.ts says which stages have one.',
    });
  }
  Validations.of(api.node.findChild('CloudWatchRole')).acknowledge({
    id: `AwsSolutions-IAM4[Policy::arn:${asShown(api, Aws.PARTITION)}:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]`,
    reason:
      'The role is the whole account’s, for logs of any name: this is the policy that API Gateway asks for.',
  });
}

/** API Gateway's own name speaks TLS 1.0 too unless told otherwise. */
function requireTls12({ node: { defaultChild } }: RestApi): void {
  if (!(defaultChild instanceof CfnRestApi)) throw new Error('The REST API has no resource.');
  defaultChild.securityPolicy = SecurityPolicy.TLS13_1_2_PQ_2025_09;
  defaultChild.endpointAccessMode = 'BASIC';
}
