import { thumbnailLimits } from '../contract/schema/thumbnail-limits.ts';
import { presign } from './signer.ts';

const uploadSeconds = 15 * 60;
const downloadSeconds = 5 * 60;

/** Removed when a message contains the file. The bucket removes tagged objects after a day. */
export const pendingTag = 'state=pending';

export interface FileDescription {
  /** Key of the object. */
  key: string;
  name: string;
  type: string;
  size: number;
}

/** Where to request a file, and for how many seconds. */
export interface SignedUrl {
  url: string;
  seconds: number;
}

/**
 * Returns a URL that stores exactly these bytes, once, and the headers that the upload must have.
 * The length is signed too; HTTP clients set that header.
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

/** Returns a URL of the file that browsers save, unless it is an image, audio or video. */
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

/** Returns whether browsers display the type, so that a file of it has a thumbnail. */
export const isDisplayedImage = (type: string): boolean =>
  thumbnailLimits.types.some((one) => one === type);

/** Encodes what RFC 8187 does not allow in a parameter. */
const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
