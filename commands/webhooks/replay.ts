import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { DeadLetter, type PublishedEvent } from '../../shared/webhooks/delivery.ts';
import type { RunningStage } from '../stage/running-stage.ts';

const Letter = v.pipe(v.string(), v.parseJson(), DeadLetter);

/**
 * Queues the events of dead letters again, of one endpoint or of all. The sender renders each anew.
 * Returns their number. After a crash, some may be queued twice.
 */
export async function replay(stage: RunningStage, endpointId?: string): Promise<number> {
  const client = new SQSClient(stage.sqs);
  const letters = { QueueUrl: stage.output('WebhookDeadLettersUrl') };
  let replayed = 0;
  for (;;) {
    const command = new ReceiveMessageCommand({ ...letters, MaxNumberOfMessages: 10 });
    const { Messages = [] } = await client.send(command);
    if (Messages.length === 0) return replayed;
    for (const { Body, ReceiptHandle } of Messages) {
      const { endpoint_id, event } = v.parse(Letter, Body);
      if (endpointId !== undefined && endpoint_id !== endpointId) continue;
      const message: PublishedEvent = { detail: event, endpoint_id };
      await client.send(
        new SendMessageCommand({
          QueueUrl: stage.output('WebhookQueueUrl'),
          MessageBody: JSON.stringify(message),
          MessageGroupId: endpoint_id,
        }),
      );
      await client.send(new DeleteMessageCommand({ ...letters, ReceiptHandle }));
      replayed += 1;
    }
  }
}
