const esOnly = ['@middy', 'jose'];

/** @type {import('jest').Config} */
const common = {
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

/**
 * Without being named, the stories are told inside test/lib/least-privilege.test.ts, once; but those of another stage than
 * the local cloud are told here too.
 */
const tellsStories =
  process.env.API_URL !== undefined ||
  process.argv.slice(2).some((word) => word.includes('acceptance'));

/** @type {import('jest').Config} */
const acceptance = {
  ...common,
  displayName: 'acceptance',
  testMatch: ['<rootDir>/test/acceptance/**/*.test.ts'],
  // The documentation speaks of the local cloud's people, by their ids.
  testPathIgnorePatterns:
    process.env.API_URL && !process.env.DOCUMENTED_PEOPLE
      ? ['<rootDir>/test/acceptance/docs.test.ts']
      : [],
  globalSetup: '<rootDir>/test/acceptance/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/acceptance/support/global-teardown.ts',
};

/** Hostile histories are planted only when they are asked for by name. */
const tellsOfSieges = process.argv.slice(2).some((word) => word.includes('siege'));

/** @type {import('jest').Config} */
const siege = {
  ...common,
  displayName: 'siege',
  testMatch: ['<rootDir>/test/siege/**/*.test.ts'],
};

/** @type {import('jest').Config} */
export default {
  testTimeout: 60_000,
  // The functions' own log would drown the report.
  silent: true,
  projects: [
    {
      ...common,
      displayName: 'project',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/acceptance/', '<rootDir>/test/siege/'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
      setupFiles: ['<rootDir>/test/support/environment.ts'],
    },
    ...(tellsStories ? [acceptance] : []),
    ...(tellsOfSieges ? [siege] : []),
  ],
};
