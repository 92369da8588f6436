import type { NoReplyError } from './api-error.ts';
import { type Methods, methods } from './generated/methods.ts';
import type { ClientOptions } from './options.ts';
import { createMethodFactory } from './requests/method-factory.ts';
import { createRequestSender } from './requests/request-sender.ts';
import { createUpload, type Upload } from './upload/upload-file.ts';

/** The operations of the API as methods, such as `client.messages.send`. */
export interface Client extends Methods {
  attachments: Methods['attachments'] & {
    /** **Upload a file.** Creates the attachment and uploads its file, with retries. */
    upload: Upload;
  };
  /**
   * Returns a token. If the last token was rejected, set `fresh` to request a new one. Throws
   * `SignedOutError` if there is no token.
   */
  token(request?: { fresh: boolean }): Promise<string>;
  /**
   * Calls the listener when a request ends without a reply. Returns a function that removes the
   * listener.
   */
  onNoReply(listener: (error: NoReplyError) => void): () => void;
}

export function createClient(options: ClientOptions): Client {
  const { token, onNoReply, ...sender } = createRequestSender(options);
  const resources = methods(createMethodFactory(sender));
  const upload = createUpload(resources.attachments.create, options);
  return { ...resources, attachments: { ...resources.attachments, upload }, token, onNoReply };
}
