// Generated from package.json by `npm run docs`.

/** Version of the API from package.json, fixed when the functions are bundled. */
export const version = '0.1.0';
