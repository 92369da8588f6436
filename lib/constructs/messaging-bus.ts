import { Aws, type Stack as CdkStack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';

/** Creates the bus if the stage enables the bus or webhooks. Webhook events come from the bus. */
export const createBus = (stack: CdkStack, stage: Stage): MessagingBus | undefined =>
  stage.bus || stage.webhooks ? new MessagingBus(stack, 'Bus', stack.stackName) : undefined;

/**
 * Event bus of the stage. The live worker puts every event on this bus, and rules in other stacks
 * select events (docs/events.md).
 */
export class MessagingBus extends EventBus {
  /** Environment variables of functions that put events. */
  readonly publisherEnvironment: Record<string, string>;

  constructor(scope: Construct, id: string, stackName: string) {
    super(scope, id, {
      eventBusName: stackName,
      description:
        'Changes to messages, conversations, groups and business listings, without content',
    });
    this.publisherEnvironment = {
      BUS_NAME: this.eventBusName,
      BUS_URL: `https://events.${Aws.REGION}.${Aws.URL_SUFFIX}/`,
    };
  }

  createPutStatement(): PolicyStatement {
    return new PolicyStatement({ actions: ['events:PutEvents'], resources: [this.eventBusArn] });
  }
}
