import { FileReadError } from '../../api-error.ts';
import { createIdempotencyKey } from '../../requests/idempotency-key.ts';
import type { LiveContext } from '../live-context.ts';
import { findEntry, putEntry, setFile } from './outbox-entries.ts';
import { type FileUpload, isTooOld } from './pending-message.ts';

/**
 * Number of immediate retries per file. One retry suffices if the URL expired while the device
 * slept.
 */
const retries = 1;

/** Uploads an entry's files, except those already uploaded. Throws if an upload fails. */
export async function uploadFiles(live: LiveContext, key: string): Promise<void> {
  const count = findEntry(live, key)?.files.length ?? 0;
  if (count === 0) return;
  const { signal, outbox } = live;
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  outbox.uploads.set(key, controller);
  try {
    for (let n = 0; n < count; n += 1) await uploadFile(live, key, n, controller.signal);
  } finally {
    signal.removeEventListener('abort', abort);
    outbox.uploads.delete(key);
  }
}

async function uploadFile(
  live: LiveContext,
  key: string,
  n: number,
  signal: AbortSignal,
): Promise<void> {
  const entry = findEntry(live, key);
  const one = entry?.files[n];
  if (!entry || !one) return;
  const upload = getUpload(`${key}-${n}`, one.upload);
  if (upload.id !== null) return;
  const { file, name, type, size } = one;
  if (!file) throw new FileReadError(`The file ${name} is no longer on this device.`);
  await saveFile(live, key, n, { upload });
  const { id } = await live.client.attachments.upload(file, {
    ...{ conversation_id: entry.conversation_id, name, type, signal, retries },
    idempotencyKey: upload.key,
    onProgress: ({ loaded }) => setFile(live, key, n, { loaded }),
  });
  await saveFile(live, key, n, { upload: { ...upload, id }, loaded: size });
}

/**
 * Returns the upload to resume, or a new upload if the last one is missing or too old. Two pages
 * that send the same message use the same first key, and therefore create the same attachment.
 */
function getUpload(firstKey: string, last: FileUpload | undefined): FileUpload {
  if (last && !isTooOld(last.startedAt)) return last;
  return { key: last ? createIdempotencyKey() : firstKey, startedAt: Date.now(), id: null };
}

async function saveFile(...change: Parameters<typeof setFile>): Promise<void> {
  const [live] = change;
  const changed = setFile(...change);
  if (changed) await live.outbox.write(() => putEntry(live, changed));
}
