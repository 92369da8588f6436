export const thumbnailLimits = {
  /** Maximum width and height. */
  pixels: 320,
  /** Image types that browsers display without running code. SVG may contain scripts. */
  types: ['image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'],
} as const;

export const thumbnailType = 'image/webp';
