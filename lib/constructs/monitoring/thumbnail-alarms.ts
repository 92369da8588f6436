import type { ThumbnailWorker } from '../functions/thumbnail-worker.ts';
import type { AlarmDefinition } from './alarm-definition.ts';
import { queueDepth } from './cloudwatch-metrics.ts';

/** Returns the alarms for thumbnails. */
export const thumbnailAlarms = ({
  failures,
}: ThumbnailWorker): Record<string, AlarmDefinition> => ({
  ThumbnailFailures: {
    severity: 'ticket',
    symptom: 'Thumbnails of images could not be made',
    runbookEntry: 'thumbnail-failures',
    // The worker attempted each event three times. Images that the worker refuses are not failures.
    metric: queueDepth(failures),
    threshold: 0,
  },
});
