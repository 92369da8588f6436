/** Returns the text of the module that exports the version. */
export const versionFile = (version: string): string =>
  [
    '// Generated from package.json by `npm run docs`.',
    '',
    '/** Version of the API from package.json, fixed when the functions are bundled. */',
    `export const version = '${version}';`,
    '',
  ].join('\n');
