import { clock } from '../../shared/clock.ts';
import { quoteText } from '../../shared/contract/schema/characters.ts';
import { reportCreatedAt } from '../../shared/ids.ts';
import type { ReportItem } from '../../shared/table/reports/report-item.ts';
import { alignColumns } from '../cli/align-columns.ts';

const hourMilliseconds = 60 * 60 * 1000;

const subjectNames = { message_id: 'message', contact_id: 'contact', public_id: 'business' };

export function formatReports(reports: readonly ReportItem[]): string[] {
  const rows = reports.map(({ id, reason, subject_kind, subject_id, reported_by }) => {
    const hours = Math.floor((clock.now() - reportCreatedAt(id)) / hourMilliseconds);
    return [id, `${hours} h`, reason, subjectNames[subject_kind], subject_id, reported_by];
  });
  return alignColumns([['report', 'age', 'reason', 'subject', 'id', 'reported by'], ...rows], 6);
}

/**
 * Returns a whole report as JSON, one field per line. Escapes control characters, because the note
 * and the copy contain text from users.
 */
export function formatReport({ copy, ...report }: ReportItem): string[] {
  const fields = {
    ...report,
    created_at: new Date(reportCreatedAt(report.id)).toISOString(),
    closed_at: report.closed_at === undefined ? null : new Date(report.closed_at).toISOString(),
    expires_at: new Date(report.expires_at * 1000).toISOString(),
    copy: copy === undefined ? null : JSON.parse(copy),
  };
  return JSON.stringify(fields, null, 2).split('\n').map(escapeControls);
}

/** Escapes a line as `quoteText` does, without adding quotation marks. */
const escapeControls = (line: string): string => line.replace(/[^\x20-\x7e]+/g, escapeText);
const escapeText = (text: string) => quoteText(text).slice(1, -1);
