/** Generators of clients as people run them: the arguments of each, from the document to where its code goes. */
export const generators: Record<string, (document: string, to: string) => string[]> = {
  'openapi-typescript': (document, to) => [document, '-o', `${to}.ts`],
  // Of the package @hey-api/openapi-ts.
  'openapi-ts': (document, to) => ['-i', document, '-o', to, '-c', '@hey-api/client-fetch'],
  orval: (document, to) => ['-i', document, '-o', `${to}.ts`, '--client', 'fetch'],
  // What it makes, and where, is in kubb.config.mjs.
  kubb: () => ['generate', '--config', 'kubb.config.mjs'],
  oazapfts: (document, to) => [document, `${to}.ts`],
  'swagger-typescript-api': (document, to) => [
    'generate',
    ...['-p', document, '-o', to, '-n', 'api.ts'],
  ],
  'openapi-zod-client': (document, to) => [document, '-o', `${to}.ts`],
};
