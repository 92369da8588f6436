import { clock } from '../../clock.ts';
import { update } from '../calls/access.ts';
import { reportKey, toReportKeys } from '../keys/keys.ts';
import { indexes } from '../keys/names.ts';
import type { ReportItem } from './report-item.ts';

/** Closes a report. Returns false if the report was already closed or deleted. */
export async function closeReport(report: ReportItem): Promise<boolean> {
  const { [indexes.gsi3.partition]: closedPartition } = toReportKeys(report.id, false);
  const { done } = await update({
    Key: reportKey(report.reported_by, report.subject_kind, report.subject_id),
    UpdateExpression: `SET closed_at = :now, ${indexes.gsi3.partition} = :closed`,
    ConditionExpression: 'id = :id AND attribute_not_exists(closed_at)',
    ExpressionAttributeValues: {
      ':id': report.id,
      ':now': clock.now(),
      ':closed': closedPartition,
    },
  });
  return done;
}
