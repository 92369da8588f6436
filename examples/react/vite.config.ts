import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const toClient = (file: string) =>
  fileURLToPath(new URL(`../../client/src/${file}`, import.meta.url));

export default defineConfig({
  // Only this repository needs the aliases: an app installs the package.
  resolve: {
    alias: [
      { find: /^messaging-service-client$/, replacement: toClient('index.ts') },
      { find: 'messaging-service-client/react', replacement: toClient('react.ts') },
    ],
  },
});
