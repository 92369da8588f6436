import type { PutFile } from '../../../client/src/index.ts';
import { toUploadCommand } from './curl-command.ts';
import { addRequest, type Side, setRequestOutcome } from './traffic.ts';

/**
 * Wraps `putFile` to record its requests as curl commands. A recorded command works only if the
 * upload failed, because the URL accepts only one upload.
 */
export const withUploadLog =
  (putFile: PutFile, side: Side): PutFile =>
  async (target, file, options) => {
    const { method, url } = target;
    const name = 'name' in file && typeof file.name === 'string' ? file.name : 'file';
    const curl = toUploadCommand(target, name);
    const path = url.replace(/\?.*/, '');
    const entry = addRequest({ side, method, path, body: undefined, curl, at: new Date() });
    const startedAt = performance.now();
    const end = (status: number | 'none', reply?: string) => {
      const milliseconds = Math.round(performance.now() - startedAt);
      setRequestOutcome(entry, { status, milliseconds, reply, requestId: undefined });
    };
    try {
      const reply = await putFile(target, file, options);
      end(reply.status, reply.text);
      return reply;
    } catch (error) {
      end('none');
      throw error;
    }
  };
