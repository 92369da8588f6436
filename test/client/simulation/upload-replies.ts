import {
  findConversation,
  notFound,
  replayOrCreate,
  type ServiceState,
  type SimulatedReply,
  type SimulatedUpload,
  toError,
  toReply,
} from './service-state.ts';

export interface UploadFields {
  conversation_id?: string;
  name?: string;
}

const daySeconds = 24 * 3600;

/** Returns a file whose `arrayBuffer` resolves without I/O, for tests with simulated time. */
export const createFile = (name: string, size = 100): File =>
  Object.assign(new File(['x'.repeat(size)], name, { type: 'image/png' }), {
    arrayBuffer: async () => new ArrayBuffer(size),
  });

export function replyToUpload(
  state: ServiceState,
  contactId: string,
  body: UploadFields,
  idempotencyKey: string,
): SimulatedReply {
  const { conversation_id = '', name = '' } = body;
  return replayOrCreate(state, idempotencyKey, body, () => {
    if (!findConversation(state, contactId, conversation_id)) return notFound;
    const id = `${conversation_id}-${state.uploads.size}`;
    const facts = { id, name, conversationId: conversation_id, createdAt: Date.now() };
    state.uploads.set(id, { ...facts, isStored: false, isSent: false });
    return toReply({
      id,
      upload: { method: 'PUT', url: `http://paper/v1/files/${id}`, headers: {} },
    });
  });
}

/**
 * Marks a file as stored. Returns 403 if the upload is unknown, and 412 if the file is already
 * stored.
 */
export function replyToPut({ uploads }: ServiceState, id: string): SimulatedReply {
  const upload = uploads.get(id);
  if (!upload) return toError(403, 'access_denied');
  if (upload.isStored) return toError(412, 'precondition_failed');
  upload.isStored = true;
  return toReply({});
}

/** Marks the uploads as sent and returns them. Returns an error if an upload is unusable. */
export function takeUploads(
  { uploads }: ServiceState,
  conversationId: string,
  attachments: readonly { id: string }[],
): SimulatedUpload[] | SimulatedReply {
  const found = attachments.flatMap(({ id }) => uploads.get(id) ?? []);
  const isUsable = (one: SimulatedUpload) =>
    one.conversationId === conversationId &&
    !one.isSent &&
    Date.now() - one.createdAt < daySeconds * 1000;
  if (found.length < attachments.length || !found.every(isUsable)) {
    return { status: 400, body: { code: 'parameter_invalid', param: 'attachments' } };
  }
  if (!found.every(({ isStored }) => isStored)) return toError(409, 'not_uploaded');
  for (const one of found) one.isSent = true;
  return found;
}
