import * as v from 'valibot';
import { isInlineText } from '../schema/characters.ts';
import { Id, integer, Timestamp, text } from '../schema/field-types.ts';
import { thumbnailLimits } from '../schema/thumbnail-limits.ts';
import { uploadLimits } from '../schema/upload-limits.ts';

/** Path of an uploaded attachment, without its id. It never expires. */
export const attachmentPath = '/v1/attachments/';

const FileName = v.pipe(
  text(1, uploadLimits.nameCharacters),
  v.check(
    (name) => isInlineText(name) && !/[\\/]/.test(name),
    'must contain a visible character, and no slashes, backslashes, control characters, line breaks or characters that change the text direction',
  ),
  v.description('File name.'),
);

const typeRule = 'must be a media type in lower case and without parameters, such as image/jpeg';
const MediaType = v.pipe(
  v.string(typeRule),
  v.maxLength(uploadLimits.typeCharacters, typeRule),
  v.regex(/^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/, typeRule),
  v.description('Media type, such as `image/jpeg`.'),
);

const hashRule = 'must be the SHA-256 of the file in base64, 44 characters';
const Sha256 = v.pipe(
  v.string(hashRule),
  v.regex(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, hashRule),
  v.description('SHA-256 of the file in base64. The upload accepts only bytes with this hash.'),
);

const fileFields = {
  name: FileName,
  type: MediaType,
  size: v.pipe(integer(1, uploadLimits.fileBytes), v.description('Size in bytes.')),
};

export const CreateAttachment = v.object({
  conversation_id: v.pipe(Id, v.description('Conversation in which the file will be sent.')),
  ...fileFields,
  sha256: Sha256,
});
export type CreateAttachment = v.InferOutput<typeof CreateAttachment>;

/** `unscanned`: the stage does not scan for malware, or the file cannot be scanned. */
export const scanStatuses = ['scanning', 'clean', 'infected', 'unscanned'] as const;
export const ScanStatus = v.picklist(scanStatuses);
export type ScanStatus = v.InferOutput<typeof ScanStatus>;

/** `awaiting`: no message contains the attachment yet. */
export const attachmentStatuses = ['awaiting', ...scanStatuses] as const;

export const NewAttachment = v.strictObject({
  id: v.pipe(v.string(), v.description('Id to send as `attachments[0][id]` within 24 hours.')),
  ...fileFields,
  url: v.pipe(
    v.string(),
    v.description('Path of this API that returns the file. It does not expire.'),
  ),
  status: v.pipe(
    v.picklist(attachmentStatuses),
    v.description('`awaiting` until a message contains the attachment.'),
  ),
  upload: v.strictObject({
    method: v.literal('PUT'),
    url: v.pipe(v.string(), v.description('URL that accepts one upload of the file.')),
    headers: v.pipe(
      v.record(v.string(), v.string()),
      v.description('Headers to send unchanged with the upload.'),
    ),
    expires_at: v.pipe(Timestamp, v.description('Unix time by which the upload must start.')),
  }),
});
export type NewAttachment = v.InferOutput<typeof NewAttachment>;

const sizeRule = `must be ${thumbnailLimits.pixels}`;
export const ThumbnailSize = v.pipe(
  v.number(sizeRule),
  v.integer(sizeRule),
  v.minValue(thumbnailLimits.pixels, sizeRule),
  v.maxValue(thumbnailLimits.pixels, sizeRule),
  v.description(
    `Returns a WebP thumbnail of at most ${thumbnailLimits.pixels} × ${thumbnailLimits.pixels} pixels, or the image itself if it has no thumbnail. Only for ${thumbnailLimits.types.join(', ')}; for other files, the request fails with 400.`,
  ),
);

export const AttachmentLink = v.strictObject({
  url: v.pipe(v.string(), v.description('URL that returns the file.')),
  expires_at: v.pipe(Timestamp, v.description('Unix time at which the URL expires.')),
});
export type AttachmentLink = v.InferOutput<typeof AttachmentLink>;
