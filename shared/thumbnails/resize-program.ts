/**
 * Reads an image from standard input and writes a thumbnail to standard output, or exits with
 * `refusedStatus`. The worker starts this program without credentials, and may kill it.
 */
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { thumbnailLimits } from '../contract/schema/thumbnail-limits.ts';
import { refusedStatus } from './refused-status.ts';

/** Maximum number of pixels of an image. Phones take pictures of 12 to 50 million pixels. */
const maxInputPixels = 50_000_000;

/**
 * Decoders of the accepted types, without SVG, which can refer to other files. libvips chooses a
 * decoder by the content, not by the declared type.
 */
const decoders = ['Heif', 'Jpeg', 'Nsgif', 'Png', 'Webp'];

async function run(): Promise<void> {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: decoders.map((one) => `VipsForeignLoad${one}Buffer`) });
  sharp.concurrency(1);
  const image = await buffer(process.stdin);
  process.stdout.write(await resize(image).catch(refuse));
}

/** sharp removes metadata, such as the location, and converts colors to sRGB. */
const resize = (image: Buffer): Promise<Buffer> =>
  sharp(image, { autoOrient: true, limitInputPixels: maxInputPixels, sequentialRead: true })
    .resize({
      width: thumbnailLimits.pixels,
      height: thumbnailLimits.pixels,
      fit: 'inside',
      withoutEnlargement: true,
    })
    .webp({ quality: 75 })
    .toBuffer();

function refuse(error: unknown): string {
  process.stderr.write(String(error));
  process.exitCode = refusedStatus;
  return '';
}

run().catch((error) => {
  process.stderr.write(String(error));
  process.exitCode = 1;
});
