import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

const createImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c04020' } });

export const createPng = (width: number, height: number): Promise<Buffer> =>
  createImage(width, height).png().toBuffer();

/**
 * Returns a photo like those from a phone held upright: marked as rotated by 90 degrees, with a GPS
 * position.
 */
export const createPhoto = (): Promise<Buffer> =>
  createImage(800, 600)
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

/** Returns a decompression bomb: a small PNG file that decodes to an image of the given size. */
export function createBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bit depth: 1 bit per pixel.
  header[8] = 1;
  const rows = Buffer.alloc(Math.ceil(width / 8 + 1) * height);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(rows)),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
}

function toChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
