// Written from package.json by `npm run docs`.

/** Of the API, as package.json has it: it is known when the functions are bundled, and nothing is read at run time. */
export const version = '0.1.0';
