import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { DeadLetter, PublishedEvent } from '../../shared/webhooks/delivery.ts';
import type { RunningStage } from '../stage/running-stage.ts';

/** A dead letter of the sender, or an event that the bus could not send to its queue. */
const Letter = v.pipe(v.string(), v.parseJson(), v.union([DeadLetter, PublishedEvent]));
type Letter = v.InferOutput<typeof Letter>;

export interface ReplaySelection {
  /** All endpoints if undefined. */
  endpointId: string | undefined;
  /** Endpoints whose dead letters stay, because they would become dead letters again. */
  disabled: ReadonlySet<string>;
}

/**
 * Queues the events of dead letters again, each at most once. The sender renders each as it is then.
 * Returns their number. After a crash, some may be queued twice.
 */
export async function replay(
  stage: RunningStage,
  { endpointId, disabled }: ReplaySelection,
): Promise<number> {
  const client = new SQSClient(stage.sqs);
  const letters = { QueueUrl: stage.output('WebhookDeadLettersUrl') };
  const replayed = new Set<string>();
  for (;;) {
    const command = new ReceiveMessageCommand({ ...letters, MaxNumberOfMessages: 10 });
    const { Messages = [] } = await client.send(command);
    if (Messages.length === 0) return replayed.size;
    for (const { Body, ReceiptHandle } of Messages) {
      const letter = v.parse(Letter, Body);
      const id = letter.endpoint_id;
      const message = toPublishedEvent(letter);
      // An event that became a dead letter again during this run.
      const isRepeated = replayed.has(JSON.stringify(message));
      const isOther = endpointId !== undefined && id !== endpointId;
      if (isOther || isRepeated || (id !== undefined && disabled.has(id))) continue;
      await client.send(
        new SendMessageCommand({
          QueueUrl: stage.output('WebhookQueueUrl'),
          MessageBody: JSON.stringify(message),
          MessageGroupId: id,
        }),
      );
      await client.send(new DeleteMessageCommand({ ...letters, ReceiptHandle }));
      replayed.add(JSON.stringify(message));
    }
  }
}

const toPublishedEvent = (letter: Letter): PublishedEvent => ({
  detail: 'event' in letter ? letter.event : letter.detail,
  endpoint_id: letter.endpoint_id,
});
