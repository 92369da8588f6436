// Written from package.json by `npm run docs`.

/** Version from package.json, bundled with the functions to avoid a read at run time. */
export const version = '0.1.0';
