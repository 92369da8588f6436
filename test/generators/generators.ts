/** Typical arguments of client generators, by command. */
export const generators: Record<string, (document: string, to: string) => string[]> = {
  'openapi-typescript': (document, to) => [document, '-o', `${to}.ts`],
  // The package is @hey-api/openapi-ts.
  'openapi-ts': (document, to) => ['-i', document, '-o', to, '-c', '@hey-api/client-fetch'],
  orval: (document, to) => ['-i', document, '-o', `${to}.ts`, '--client', 'fetch'],
  // kubb.config.mjs sets the document and the output path.
  kubb: () => ['generate', '--config', 'kubb.config.mjs'],
  oazapfts: (document, to) => [document, `${to}.ts`],
  'swagger-typescript-api': (document, to) => [
    'generate',
    ...['-p', document, '-o', to, '-n', 'api.ts'],
  ],
  'openapi-zod-client': (document, to) => [document, '-o', `${to}.ts`],
};
