import { ApiError } from '../../shared/api-error.ts';
import { deleteMessage } from '../../shared/table/messages/write/delete-message.ts';
import { parseMessageCopy } from '../../shared/table/reports/copy-subject.ts';
import type { ReportItem } from '../../shared/table/reports/report-item.ts';
import { toTableCaller } from '../stage/table-caller.ts';

/**
 * Deletes a reported message on behalf of its sender. The deletion also unpins the message and
 * publishes events. Returns false if the message was already deleted.
 */
export async function removeReportedMessage(report: ReportItem): Promise<boolean> {
  const { id, contact, group_id } = parseMessageCopy(report);
  const sender = toTableCaller(contact.id, group_id === null ? [] : [group_id]);
  try {
    await deleteMessage(id, sender, undefined);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false;
    throw error;
  }
}
