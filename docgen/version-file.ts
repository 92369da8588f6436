/** The module by which the functions and the gateway know of which version they are. */
export const versionFile = (version: string): string =>
  [
    '// Written from package.json by `npm run docs`.',
    '',
    '/** Of the API, as package.json has it: it is known when the functions are bundled, and nothing is read at run time. */',
    `export const version = '${version}';`,
    '',
  ].join('\n');
