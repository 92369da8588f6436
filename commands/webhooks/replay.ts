import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { DeadLetter, PublishedEvent } from '../../shared/webhooks/delivery.ts';
import { receiveMessages } from '../stage/receive-messages.ts';
import type { RunningStage } from '../stage/running-stage.ts';

/**
 * A dead letter of the sender, or an event that the bus could not deliver to the sender's queue.
 */
const Letter = v.pipe(v.string(), v.parseJson(), v.union([DeadLetter, PublishedEvent]));
type Letter = v.InferOutput<typeof Letter>;

export interface ReplaySelection {
  /** Id of the endpoint whose dead letters are requeued; undefined selects all endpoints. */
  endpointId: string | undefined;
  /** Endpoints whose dead letters stay in the queue, because a delivery would fail again. */
  disabled: ReadonlySet<string>;
}

/** Visibility timeout in seconds, long enough for a run to receive each letter only once. */
const hiddenSeconds = 3600;

/**
 * Requeues each event of the selected dead letters once. Returns the number of requeued events.
 * After a crash, some events may be queued twice, and dead letters that the run received but did
 * not delete stay hidden for up to an hour.
 */
export async function replay(stage: RunningStage, selection: ReplaySelection): Promise<number> {
  const client = new SQSClient(stage.sqs);
  const letters = { QueueUrl: stage.output('WebhookDeadLettersUrl') };
  const replayed = new Set<string>();
  const skippedReceipts: (string | undefined)[] = [];
  const receiveParams = { client, ...letters, VisibilityTimeout: hiddenSeconds };
  for await (const { Body, ReceiptHandle } of receiveMessages(receiveParams)) {
    const message = toPublishedEvent(v.parse(Letter, Body));
    const MessageBody = JSON.stringify(message);
    // A replayed event may become a dead letter again during this run.
    if (!isSelected(message, selection) || replayed.has(MessageBody)) {
      skippedReceipts.push(ReceiptHandle);
      continue;
    }
    const group = message.endpoint_id && { MessageGroupId: message.endpoint_id };
    const QueueUrl = stage.output('WebhookQueueUrl');
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody, ...group }));
    await client.send(new DeleteMessageCommand({ ...letters, ReceiptHandle }));
    replayed.add(MessageBody);
  }
  for (const ReceiptHandle of skippedReceipts) {
    const releaseParams = { ...letters, ReceiptHandle, VisibilityTimeout: 0 };
    await client.send(new ChangeMessageVisibilityCommand(releaseParams));
  }
  return replayed.size;
}

const isSelected = (
  { endpoint_id: id }: PublishedEvent,
  { endpointId, disabled }: ReplaySelection,
): boolean =>
  (endpointId === undefined || id === endpointId) && (id === undefined || !disabled.has(id));

const toPublishedEvent = (letter: Letter): PublishedEvent => ({
  detail: 'event' in letter ? letter.event : letter.detail,
  endpoint_id: letter.endpoint_id,
});
