import { type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/**
 * Seconds to wait for messages. Short polling checks only some SQS servers, so an empty reply would
 * not prove that the queue is empty.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-short-and-long-polling.html
 */
const WaitTimeSeconds = 2;

/**
 * Yields a queue's messages until a receive returns none. Hides each message from other consumers
 * for `VisibilityTimeout` seconds; default: the queue's visibility timeout.
 */
export async function* receiveMessages({
  client,
  ...queue
}: {
  client: SQSClient;
  QueueUrl: string;
  VisibilityTimeout?: number;
}): AsyncGenerator<Message> {
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ ...queue, MaxNumberOfMessages: 10, WaitTimeSeconds }),
    );
    if (Messages.length === 0) return;
    yield* Messages;
  }
}
