import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Bundles only the contract's constants that a function uses. */
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
 * Lets esbuild drop the contract's constants that a function does not use. esbuild treats spreads
 * and calls of functions from other files as side effects. Relies on the formatter: a statement
 * ends with a line that is not indented.
 */
export const markPure = (source: string) =>
  source.replace(
    /^((?:export )?const \w+(?:: [^=\n]+)? =)\s(?![(<]|.*=>)((?:.*|.*\n(?:(?: .*)?\n)*?\S.*));$/gm,
    '$1 /* @__PURE__ */ (() => ($2))();',
  );
