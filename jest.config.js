const esOnly = ['@middy', 'jose'];

/** @type {import('jest').Config} */
export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFiles: ['<rootDir>/test/support/environment.ts'],
  testTimeout: 60_000,
  // The functions' own log would drown the report.
  silent: true,
  transform: {
    '^.+\\.[jt]s$': [
      '@swc/jest',
      {
        jsc: { target: 'es2024', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  // Jest runs CommonJS: packages that ship ES modules only are turned as our own files are.
  transformIgnorePatterns: [`node_modules/(?!(${esOnly.join('|')})/)`],
  moduleNameMapper: { '^@middy/([^/]+)$': '<rootDir>/node_modules/@middy/$1/index.js' },
};
