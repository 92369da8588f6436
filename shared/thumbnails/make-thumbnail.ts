import { thumbnailType } from '../contract/schema/thumbnail-limits.ts';
import {
  addPendingFile,
  findFileType,
  isFileRetained,
  readFile,
  removeFile,
  retainFile,
} from '../files/objects.ts';
import { isDisplayedImage } from '../files/presign-file.ts';
import { resizeImage } from './resize-image.ts';

/** Outcome of an invocation, for its log line. */
export type ThumbnailOutcome =
  | { made: 1 }
  | { ignored: 1 }
  /** The file no longer exists, so the function removed its thumbnail. */
  | { removed: 1 }
  | { refusal: string };

/**
 * Makes a file's thumbnail if it is an image. Safe to repeat after a crash at any point. Stores the
 * thumbnail, then checks the file. The purge worker and send operations change the file, then the
 * thumbnail. Therefore, at least one of two concurrent functions sees the other's change.
 */
export async function makeThumbnail(
  fileKey: string,
  thumbnailKey: string,
): Promise<ThumbnailOutcome> {
  const type = await findFileType(fileKey);
  if (type !== undefined && !isDisplayedImage(type)) return { ignored: 1 };
  const image = type === undefined ? undefined : await readFile(fileKey);
  if (image) {
    const resized = await resizeImage(image);
    if ('refusal' in resized) return resized;
    await addPendingFile(thumbnailKey, thumbnailType, resized.thumbnail);
  }
  const isRetained = await isFileRetained(fileKey);
  if (isRetained === undefined) {
    await removeFile(thumbnailKey);
    return { removed: 1 };
  }
  if (isRetained) await retainFile(thumbnailKey);
  return { made: 1 };
}
