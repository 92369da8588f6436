import { Duration } from 'aws-cdk-lib';
import {
  EndpointType,
  type IAuthorizer,
  LambdaIntegration,
  ResourceBase,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { exposedHeaders, requestHeaders } from '../../shared/contract/headers.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import type { Stage } from '../stages.ts';
import { shapeGatewayResponses } from './gateway-responses.ts';
import { answerNotFound } from './not-found.ts';

export interface MessagingApiProps {
  stageName: string;
  stage: Stage;
  authorizer: IAuthorizer;
  /** Each operation of the contract with the function that serves it. */
  operations: { operation: Operation; handler: IFunction }[];
}

/**
 * The REST API. Each operation is a method behind the authorizer; whatever else is asked of any path answers 404, and
 * everything that the gateway itself refuses has the one error shape.
 */
export class MessagingApi extends RestApi {
  constructor(scope: Construct, id: string, props: MessagingApiProps) {
    const { stageName, stage, authorizer, operations } = props;
    super(scope, id, {
      restApiName: `messaging-${stageName}`,
      description: 'Messages, conversations and business listings',
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: false,
      deployOptions: { stageName },
      defaultCorsPreflightOptions: {
        allowOrigins: [...stage.allowedOrigins],
        allowHeaders: [...requestHeaders],
        allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
        exposeHeaders: [...exposedHeaders],
        maxAge: Duration.hours(2),
      },
    });
    for (const { operation, handler } of operations) {
      const integration = new LambdaIntegration(handler, { allowTestInvoke: false });
      this.root
        .resourceForPath(operation.path)
        .addMethod(operation.method, integration, { authorizer });
    }
    this.root.addResource('{unknown+}');
    for (const resource of this.node.findAll()) {
      if (resource instanceof ResourceBase) answerNotFound(resource, stage);
    }
    shapeGatewayResponses(this, stage);
  }
}
