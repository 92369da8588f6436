import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ScanWorker } from '../functions/scan-worker.ts';
import type { AlarmDefinition } from './alarm-definition.ts';
import { type LogMetric, queueDepth } from './cloudwatch-metrics.ts';

/** Returns the alarms for malware scans. */
export const scanAlarms = (
  { failures }: ScanWorker,
  logMetric: LogMetric,
): Record<string, AlarmDefinition> => ({
  ScanFailures: {
    severity: 'ticket',
    symptom: 'Results of malware scans could not be recorded',
    runbookEntry: 'scan-failures',
    // The queue contains results that the worker failed three times to record.
    metric: queueDepth(failures),
    threshold: 0,
  },
  FailedScans: {
    severity: 'ticket',
    symptom: 'GuardDuty fails to scan files for malware',
    runbookEntry: 'failed-scans',
    // GuardDuty scans a file once, so a file whose scan failed stays unscanned.
    metric: logMetric('scan', 'failed_scans', { statistic: Stats.SUM }),
    threshold: 0,
  },
  OverdueScans: {
    severity: 'ticket',
    symptom: 'Sent files were not scanned for malware within 30 minutes',
    runbookEntry: 'failed-scans',
    // If GuardDuty sends no result, FailedScans does not increase. A request for the sent file then
    // records the overdue scan.
    metric: logMetric('attachments/retrieve', 'overdue_scans', { statistic: Stats.SUM }),
    threshold: 0,
  },
});
