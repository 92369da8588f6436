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

/** Facts of the log line. */
export type ThumbnailOutcome =
  | { made: 1 }
  | { ignored: 1 }
  /** The file was removed, so there is no thumbnail either. */
  | { removed: 1 }
  /** The image has no thumbnail, because of its size or content. */
  | { refusal: string };

/**
 * Makes the thumbnail of a file, if it is an image. Safe to repeat after a crash at any point.
 *
 * The purge worker removes the file first, then its thumbnail; a send retains both in this order.
 * This function stores the thumbnail first, then checks the file. Therefore, at least one of two
 * concurrent functions sees the other's change.
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
