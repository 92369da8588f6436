import { operations } from '../../shared/contract/operations.ts';
import {
  assumptions,
  purgeMemoryGb,
  purgeWritesPerSecond,
  requestMemoryGb,
} from './assumptions.ts';
import { type OperationId, purgeBudget } from './budgets.ts';
import { unitsForSize, unitsToRead, unitsToRemove } from './large-messages.ts';
import { unitsOf } from './mix.ts';
import type { Quantities } from './prices.ts';
import { add } from './quantities.ts';
import { replyBytes } from './reply-size.ts';
import type { StackFacts } from './stack-facts.ts';
import type { Volumes } from './volumes.ts';

const gigabyte = 1024 ** 3;

const writers = new Set<string>(
  operations.filter(({ method }) => method === 'POST' || method === 'PUT').map(({ id }) => id),
);

/** What one request of the operation takes of all that is charged for, on average. Traces are not counted here. */
export function quantitiesOf(
  operation: OperationId,
  volumes: Pick<Volumes, 'mix' | 'groupsPerUser' | 'messageBytes' | 'messagesPerConversation'>,
  facts: Pick<StackFacts, 'webAcls'>,
): Quantities {
  const { mix, groupsPerUser, messageBytes } = volumes;
  const budget = unitsOf(operation, mix, groupsPerUser);
  const size = unitsForSize(operation, messageBytes);
  const showsMessages = operation.startsWith('messages/') && operation !== 'messages/delete';
  const authorizations = 1 / assumptions.requestsPerAuthorization;
  const [, milliseconds] = assumptions.billedMilliseconds[operation];
  const coldStart = assumptions.coldStartShare * assumptions.coldStartMilliseconds;
  const request: Quantities = {
    readUnits: budget.reads + size.reads + (showsMessages ? assumptions.senderReadShare : 0),
    writeUnits:
      budget.writes + size.writes + (writers.has(operation) ? assumptions.contactWriteShare : 0),
    lambdaRequests: 1 + authorizations,
    lambdaGbSeconds:
      (requestMemoryGb *
        (milliseconds + coldStart + authorizations * assumptions.authorizerMilliseconds)) /
      1000,
    apiRequests: 1,
    dataOutGb: replyBytes(operation, messageBytes) / gigabyte,
    logGb: assumptions.logBytesPerRequest / gigabyte,
    wafRequests: facts.webAcls > 0 ? 1 : 0,
  };
  return operation === 'conversations/delete' ? add(request, purge(volumes)) : request;
}

/** Removing what was in the conversation, later: the worker is called at least once, and waits more than it works. */
function purge({
  messageBytes,
  messagesPerConversation,
}: Pick<Volumes, 'messageBytes' | 'messagesPerConversation'>): Quantities {
  const perMessage = purgeBudget.writesPerMessage * unitsToRemove(messageBytes);
  const writeUnits = purgeBudget.writes + messagesPerConversation * perMessage;
  return {
    writeUnits,
    readUnits: purgeBudget.reads + unitsToRead(messagesPerConversation, messageBytes),
    lambdaRequests: 1,
    lambdaGbSeconds: purgeMemoryGb * (writeUnits / purgeWritesPerSecond),
  };
}
