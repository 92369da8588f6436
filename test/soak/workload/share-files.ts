import { createHash } from 'node:crypto';
import * as v from 'valibot';
import {
  createAttachment,
  retrieveAttachment,
  sendMessage,
} from '../../../shared/contract/operations.ts';
import {
  AttachmentLink,
  attachmentPath,
  NewAttachment,
} from '../../../shared/contract/resources/attachment.ts';
import { isSuccess } from '../exchange/exchange.ts';
import { chooseConversation } from '../session/choose.ts';
import type { Session } from '../session/session.ts';

export async function shareFiles(session: Session): Promise<void> {
  const conversation = chooseConversation(session);
  if (!conversation) return;
  const { sendRequest, person, random, newText } = session;
  const files = [];
  for (let remaining = random.integer(1, 3); remaining > 0; remaining--) {
    const file = await upload(session, conversation.id);
    if (file) files.push(file);
  }
  const [first] = files;
  if (!first || random.chance(0.2)) return;
  const attachments = files.map(({ shown }) => shown);
  const body = { conversation_id: conversation.id, message: newText(), attachments };
  const sent = await sendRequest(person.caller, sendMessage, { body });
  if (isSuccess(sent)) await download(session, first.shown.id, first.text);
}

/**
 * Returns the file's text and the attachment as it appears in messages, or `undefined` if no file
 * was uploaded.
 */
async function upload({ sendRequest, person, random, newText }: Session, conversation_id: string) {
  const text = newText();
  const name = 'note.txt';
  const type = 'text/plain';
  const size = Buffer.byteLength(text);
  const sha256 = createHash('sha256').update(text).digest('base64');
  const body = { conversation_id, name, type, size, sha256 };
  const created = await sendRequest(person.caller, createAttachment, { body });
  if (!isSuccess(created) || random.chance(0.1)) return undefined;
  const { id, upload: target } = v.parse(NewAttachment, created.reply.body);
  const { method, url, headers } = target;
  const stored = await fetch(url, { method, headers, body: text }).catch(() => undefined);
  if (!stored?.ok) return undefined;
  // The local S3 replies only after the scan result is stored.
  const shown = { name, url: `${attachmentPath}${id}`, type, size, id, status: 'clean' };
  return { shown, text };
}

async function download({ sendRequest, person, model }: Session, id: string, text: string) {
  const path = { attachment_id: id };
  const exchange = await sendRequest(person.caller, retrieveAttachment, {
    path,
    query: { redirect: 'false' },
  });
  if (exchange.reply.status !== 200) return;
  const { url } = v.parse(AttachmentLink, exchange.reply.body);
  const response = await fetch(url).catch(() => undefined);
  // A failed download is not a violation, because the file may have been deleted concurrently.
  if (response?.ok && (await response.text()) !== text) {
    model.report({ expected: `the bytes of ${id} as they were uploaded`, exchange });
  }
}
