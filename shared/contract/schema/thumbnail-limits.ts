/** Limits of the thumbnails of uploaded images. */
export const thumbnailLimits = {
  /** Maximum width and height. */
  pixels: 320,
  /** Image types that browsers display without running code: no SVG, which may contain scripts. */
  types: ['image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'],
} as const;

export const thumbnailType = 'image/webp';
