import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Plugin that makes esbuild drop the contract's constants that a function does not use. */
export const markContractPure: Plugin = {
  name: 'mark-contract-pure',
  setup(build) {
    build.onLoad({ filter: /shared[\\/]contract[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: markPure(await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

/**
 * Marks the initializers of top-level constants as pure, so that esbuild drops unused constants. By
 * default, esbuild assumes that spreads and function calls have side effects. Relies on the
 * formatter, which does not indent the last line of a statement.
 */
export const markPure = (source: string) =>
  source.replace(
    /^((?:export )?const \w+(?:: [^=\n]+)? =)\s(?![(<]|.*=>)((?:.*|.*\n(?:(?: .*)?\n)*?\S.*));$/gm,
    '$1 /* @__PURE__ */ (() => ($2))();',
  );
