import { thumbnailLimits } from '../contract/schema/thumbnail-limits.ts';
import { presign } from './signer.ts';

const uploadSeconds = 15 * 60;
const downloadSeconds = 5 * 60;

/** Tag of files that no message contains yet. The bucket removes tagged files after a day. */
export const pendingTag = 'state=pending';

export interface FileDescription {
  /** Key of the object. */
  key: string;
  name: string;
  type: string;
  size: number;
}

export interface SignedUrl {
  url: string;
  seconds: number;
}

/**
 * Returns a URL that accepts one upload of exactly the bytes with this hash, and the headers that
 * the upload must have. HTTP clients set `content-length`, which is also signed.
 */
export async function presignUpload(
  { key, type, size }: FileDescription,
  sha256: string,
): Promise<SignedUrl & { headers: Record<string, string> }> {
  const headers = {
    'content-type': type,
    'if-none-match': '*',
    'x-amz-checksum-sha256': sha256,
    'x-amz-tagging': pendingTag,
  };
  const signed = { ...headers, 'content-length': String(size) };
  const url = await presign('PUT', key, { headers: signed, seconds: uploadSeconds });
  return { url, headers, seconds: uploadSeconds };
}

const displayedMedia = /^(audio|video)\/[\w.+-]+$/;

/**
 * Returns a download URL. Browsers display audio, video and images (see `isDisplayedImage`), and
 * save other files. S3 cannot send `X-Content-Type-Options: nosniff`, so other files get a type
 * that browsers do not display.
 */
export async function presignDownload({
  key,
  name,
  type,
}: Omit<FileDescription, 'size'>): Promise<SignedUrl> {
  const isDisplayed = isDisplayedImage(type) || displayedMedia.test(type);
  const url = await presign('GET', key, {
    query: {
      'response-content-disposition': `${isDisplayed ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(name)}`,
      'response-content-type': isDisplayed ? type : 'application/octet-stream',
    },
    seconds: downloadSeconds,
  });
  return { url, seconds: downloadSeconds };
}

/**
 * Reports whether browsers display images of this type and never run code in them. Only images for
 * which this function returns true have thumbnails.
 */
export const isDisplayedImage = (type: string): boolean =>
  thumbnailLimits.types.some((one) => one === type);

/** Encodes characters that RFC 8187 does not allow in a parameter. */
const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
