import { defineConfig } from 'vite';

export default defineConfig({
  // The local cloud serves `index.html` at `/`, and all else below this.
  base: '/playground/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // The page's policy allows no data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // They know light-dark() and nesting.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
});
