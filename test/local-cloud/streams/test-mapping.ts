import type { EventSourceMapping } from '../../../local-cloud/streams/event-source-mapping.ts';

export const testMapping: EventSourceMapping = {
  id: 'Mapping',
  streamArn: 'arn',
  target: {
    id: 'Worker',
    name: 'worker',
    arn: 'arn',
    roleArn: 'arn',
    handler: 'index.handler',
    folder: '',
    timeoutSeconds: 1,
    memoryMegabytes: 128,
    variables: {},
    jsonLogLevel: undefined,
  },
  startingPosition: 'LATEST',
  batchSize: 10,
  parallelBatches: 1,
  windowSeconds: 0,
  matches: () => true,
  reportsItemFailures: false,
  bisects: false,
  maxRetries: Number.POSITIVE_INFINITY,
  maxAgeSeconds: Number.POSITIVE_INFINITY,
  failureQueue: undefined,
};
