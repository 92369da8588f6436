/** Returns the module that contains the version for the functions and the gateway. */
export const versionFile = (version: string): string =>
  [
    '// Written from package.json by `npm run docs`.',
    '',
    '/** Version from package.json, bundled with the functions to avoid a read at run time. */',
    `export const version = '${version}';`,
    '',
  ].join('\n');
