import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  root: import.meta.dirname,
  input: { path: '../../openapi.json' },
  output: { path: './.local/kubb' },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient()],
});
