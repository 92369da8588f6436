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
  // Jest runs CommonJS: packages that ship ES modules only are turned as our own files are.
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
 * The tests that know two sizes (see test/support/setup/sample-size.ts), at their full one. It is there when it is asked for by name, and
 * then in the place of the samples.
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
 * Without being named, the stories are told inside test/lib/least-privilege.test.ts, once; but those of another stage than
 * the local cloud are told here too.
 */
const tellsStories = process.env.API_URL !== undefined || isAskedFor('acceptance');

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

/**
 * Hostile histories are planted only when they are asked for by name.
 *
 * @type {import('jest').Config}
 */
const abuse = {
  ...common,
  displayName: 'abuse',
  testMatch: ['<rootDir>/test/abuse/**/*.test.ts'],
};

/**
 * What needs the packages of test/generators, which are installed only where it is asked for.
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
  // For what hangs, and not for what is slow: most tests take a moment, a few a minute where others use the machine.
  testTimeout: 240_000,
  // All cores: of two, Jest would leave one to itself, which has nothing to do.
  maxWorkers: '100%',
  // The functions' own log would drown the report.
  silent: true,
  projects: [
    isAskedFor('thorough') ? thorough() : project,
    ...(tellsStories ? [acceptance] : []),
    ...(isAskedFor('abuse') ? [abuse] : []),
    ...(isAskedFor('generators') ? [clients] : []),
  ],
};
