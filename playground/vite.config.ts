import { defineConfig } from 'vite';

export default defineConfig({
  // The local cloud serves `index.html` at `/`, and all other files below this path.
  base: '/playground/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // The page's content security policy allows no data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first browser versions that support `light-dark()` and nesting.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
});
