import * as v from 'valibot';
import type { ScanStatus } from '../../../contract/resources/attachment.ts';
import { type AttachmentPosition, parseMessageId } from '../../../ids.ts';
import { AttachmentItem } from '../../attachments/attachment-item.ts';
import { getItem, update } from '../../calls/access.ts';
import { existsCondition } from '../../calls/expressions.ts';
import { retryUntilDone } from '../../calls/retry-until-done.ts';
import { attachmentKey, messageKey } from '../../keys/keys.ts';
import { parseMessage, parseScans } from '../log/message-item.ts';

const maxAttempts = 8;

/**
 * Stores a scan's result in the attachment. If a message contains the attachment, then stores the
 * result in the message and increases the message's version. Returns `ignored` if the attachment
 * was removed, or if an event without a result follows one with a result. Safe to repeat.
 */
export async function recordScan(
  position: AttachmentPosition,
  status: ScanStatus,
): Promise<'recorded' | 'ignored'> {
  const written = await update({
    Key: attachmentKey(position),
    UpdateExpression: 'SET scan_status = :scan',
    ConditionExpression: `${existsCondition} AND (:scan <> :unscanned OR NOT scan_status IN (:clean, :infected))`,
    ExpressionAttributeValues: {
      ':scan': status,
      ':unscanned': 'unscanned' satisfies ScanStatus,
      ':clean': 'clean' satisfies ScanStatus,
      ':infected': 'infected' satisfies ScanStatus,
    },
    ReturnValues: 'ALL_NEW',
  });
  if (!written.done) return 'ignored';
  const { id, message_id } = v.parse(AttachmentItem, written.item);
  if (message_id !== undefined) await showScan(message_id, id, status);
  return 'recorded';
}

/** Stores a scan's result in the message. Only scans write `attachment_scans`. */
async function showScan(messageId: string, attachmentId: string, status: ScanStatus) {
  const position = parseMessageId(messageId);
  if (!position) throw new Error(`Invalid message id: ${messageId}`);
  const key = messageKey(position.conversationId, position.sequence);
  await retryUntilDone(async () => {
    const message = parseMessage(await getItem(key));
    if (!message) return true;
    const known = message.attachment_scans;
    const scans = JSON.stringify({ ...parseScans(message), [attachmentId]: status });
    if (known === scans) return true;
    const { done } = await update({
      Key: key,
      UpdateExpression: 'SET attachment_scans = :scans ADD version :one',
      ConditionExpression: `id = :id AND ${known ? 'attachment_scans = :known' : 'attribute_not_exists(attachment_scans)'}`,
      ExpressionAttributeValues: {
        ':id': messageId,
        ':scans': scans,
        ':one': 1,
        ...(known && { ':known': known }),
      },
    });
    return done || undefined;
  }, maxAttempts);
}
