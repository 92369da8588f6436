import './bin/needs-node.cjs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasJava, needsDynamoDbLocal } from './test/support/setup/without-java.js';

const esOnly = ['@middy', 'jose', 'marked'];

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
  // Jest runs CommonJS, so ESM-only packages are compiled like our own files.
  transformIgnorePatterns: [`node_modules/(?!(${esOnly.join('|')})/)`],
  setupFilesAfterEnv: ['<rootDir>/test/support/setup/restore-mocks.ts'],
  moduleNameMapper: { '^@middy/([^/]+)$': '<rootDir>/node_modules/@middy/$1/index.js' },
};

const words = process.argv.slice(2);
const isAskedFor = (name) => words.some((word) => word.includes(name));

const withoutJava = Object.values(needsDynamoDbLocal)
  .flat()
  .map((file) => `<rootDir>/test/${file}\\.test\\.ts`);

/** @type {import('jest').Config} */
const project = {
  ...common,
  displayName: 'project',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: [
    '<rootDir>/test/acceptance/',
    '<rootDir>/test/generators/',
    '<rootDir>/test/abuse/',
    ...(hasJava ? [] : withoutJava),
  ],
  globalSetup: '<rootDir>/test/support/setup/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/setup/global-teardown.ts',
  setupFiles: ['<rootDir>/test/support/setup/environment.ts'],
};

/**
 * Tests with two sizes (test/support/setup/sample-size.ts), at full size. Run only if selected by
 * name.
 *
 * @type {() => import('jest').Config}
 */
const thorough = () => ({
  ...project,
  displayName: 'thorough',
  testMatch: filesWithTwoSizes().map((file) => `<rootDir>/${file}`),
  globals: { runsThorough: true },
});

const filesWithTwoSizes = () =>
  readdirSync(join(import.meta.dirname, 'test'), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .filter((file) =>
      /support\/setup\/sample-size\.ts'/.test(readFileSync(join(import.meta.dirname, file))),
    );

/**
 * By default, only test/lib/least-privilege.test.ts runs the scenarios, against the local cloud.
 * With API_URL or if selected by name, they also run as the project `acceptance`.
 */
const runsScenarios = process.env.API_URL !== undefined || isAskedFor('acceptance');

/** @type {import('jest').Config} */
const acceptance = {
  ...common,
  displayName: 'acceptance',
  testMatch: ['<rootDir>/test/acceptance/**/*.test.ts'],
  // The documentation uses the local cloud's contact ids.
  testPathIgnorePatterns:
    process.env.API_URL && !process.env.DOCUMENTED_PEOPLE
      ? ['<rootDir>/test/acceptance/docs.test.ts']
      : [],
  globalSetup: '<rootDir>/test/acceptance/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/acceptance/support/global-teardown.ts',
};

/**
 * The abuse tests. Run only if selected by name.
 *
 * @type {import('jest').Config}
 */
const abuse = {
  ...common,
  displayName: 'abuse',
  testMatch: ['<rootDir>/test/abuse/**/*.test.ts'],
};

/**
 * Tests that need the packages of test/generators. Run only if selected by name.
 *
 * @type {import('jest').Config}
 */
const clients = {
  ...common,
  displayName: 'generators',
  testMatch: ['<rootDir>/test/generators/**/*.test.ts'],
  globalSetup: '<rootDir>/test/acceptance/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/acceptance/support/global-teardown.ts',
};

/** @type {import('jest').Config} */
export default {
  // In milliseconds. Fails hanging tests; on a busy machine, slow tests take a minute.
  testTimeout: 240_000,
  // By default Jest leaves one core idle.
  maxWorkers: '100%',
  // Hides the functions' logs.
  silent: true,
  projects: [
    isAskedFor('thorough') ? thorough() : project,
    ...(runsScenarios ? [acceptance] : []),
    ...(isAskedFor('abuse') ? [abuse] : []),
    ...(isAskedFor('generators') ? [clients] : []),
  ],
};
