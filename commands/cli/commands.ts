/** How to run a command, example arguments, and what it does. */
export interface CommandRow {
  run: string;
  example?: string;
  does: string;
}

/**
 * All commands, by their names in package.json. Source of the first line of `--help` and of the
 * table in the README.
 */
export const commands = {
  start: {
    run: 'npm start',
    does: 'Runs the whole service on this machine, without an account.',
  },
  dev: {
    run: 'npm run dev',
    does: 'Runs the whole service like `npm start`, and reloads saved code.',
  },
  token: {
    run: 'npm run -s token',
    example: 'ann --groups team',
    does: 'Prints a token: for any user of the local cloud, or for a test user of a deployed stage.',
  },
  seed: {
    run: 'npm run seed',
    example: '--stage staging --people 20',
    does: 'Fills a stage with test users who have conversations, or deletes them again with --remove.',
  },
  'import-businesses': {
    run: 'npm run import-businesses',
    example: 'listings.json --stage staging',
    does: 'Stores the business listings in a file.',
  },
  deploy: {
    run: 'npm run deploy',
    example: '--stage staging',
    does: 'Checks the configuration, shows the changes, asks for confirmation, deploys, and verifies the stage.',
  },
  verify: {
    run: 'npm run verify',
    example: '--stage staging',
    does: 'Runs automated checks against a stage.',
  },
  rollback: {
    run: 'npm run rollback',
    example: '--stage prod',
    does: 'Restores the previously deployed code immediately.',
  },
  destroy: {
    run: 'npm run destroy',
    example: '--stage dev',
    does: 'Deletes a stage with its data; refuses if the stage retains its data.',
  },
  redrive: {
    run: 'npm run redrive',
    example: '--stage prod',
    does: 'Restarts failed purges of deleted conversations, and rebuilds feeds that miss events.',
  },
  restore: {
    run: 'npm run restore',
    example: '--stage prod --to 2026-11-21T10:00:00Z',
    does: 'Restores the table of a stage to a new table, as of a point in time.',
  },
  export: {
    run: 'npm run export',
    example: '--stage prod --bucket my-exports',
    does: 'Exports the items of a stage’s table to a bucket, or the users of its pool to a file.',
  },
  reports: {
    run: 'npm run reports',
    example: 'list --stage prod',
    does: 'Lists, shows and closes reports of users, removes reported messages, and suspends people.',
  },
  webhooks: {
    run: 'npm run webhooks',
    example: "add https://partner.example.com/hooks --types 'message.*' --stage prod",
    does: 'Adds, lists, shows, tests and removes webhook endpoints, rotates their secrets, and replays events.',
  },
  'export-person': {
    run: 'npm run export-person',
    example: '--contact bob --stage staging',
    does: 'Writes all data of one person in a stage to a file.',
  },
  'erase-person': {
    run: 'npm run erase-person',
    example: '--contact bob --stage staging',
    does: 'Lists the data of one person in a stage, asks for confirmation, and erases it.',
  },
  cost: {
    run: 'npm run cost',
    example: '--sends 5000000',
    does: 'Estimates the monthly cost of a stage from measured budgets.',
  },
  check: {
    run: 'npm run check',
    does: 'Checks types, lint, generated documents and tests; run it before each commit.',
  },
  test: { run: 'npm test', example: 'test/lib', does: 'Runs all tests, or those in a folder.' },
  'test:acceptance': {
    run: 'npm run test:acceptance',
    does: 'Runs the scenarios of test/acceptance against the local cloud, or the API at `API_URL`.',
  },
  'test:generators': {
    run: 'npm run test:generators',
    does: 'Runs client generators on openapi.json, tests the generated clients, and runs the Bruno collection.',
  },
  'test:abuse': {
    run: 'npm run test:abuse',
    does: 'Runs the abuse tests: hostile clients next to honest ones, whose calls must succeed.',
  },
  'test:long': {
    run: 'npm run test:long',
    example: 'test/fuzz',
    does: 'Runs the slow tests, or those in a folder.',
  },
  'test:thorough': {
    run: 'npm run test:thorough',
    does: 'Runs the abuse tests and the slow tests.',
  },
  'test:emulator': {
    run: 'npm run test:emulator',
    does: 'Deploys dev to an AWS emulator on this machine, runs the scenarios there, and names new differences.',
  },
  'test:repeat': {
    run: 'npm run test:repeat',
    example: '--runs 20',
    does: 'Runs the tests repeatedly, with new seeds, in random order, half of them on a busy machine.',
  },
  soak: {
    run: 'npm run soak',
    example: '--minutes 10',
    does: 'Simulates users of a local cloud for some minutes, and checks every response.',
  },
  bench: {
    run: 'npm run bench',
    example: 'live',
    does: 'Measures start-up, the local cloud, growth with data, delivery of events, or the effect of a purge.',
  },
  client: {
    run: 'npm run client',
    does: 'Builds the client package, and reports the bundle size of a page that uses it.',
  },
  release: {
    run: 'npm run release',
    example: '0.2.0',
    does: 'Sets the version and dates the changelog for a release.',
  },
  'record-chat': {
    run: 'npm run record-chat',
    example: 'http://127.0.0.1:3000',
    does: 'Records the animation in the README from the playground of a running local cloud.',
  },
  docs: {
    run: 'npm run docs',
    does: 'Regenerates openapi.json, docs/errors.md, docs/bruno, the types of client/, and the diagrams and tables of the documents.',
  },
  types: { run: 'npm run types', does: 'Checks the types.' },
  lint: {
    run: 'npm run lint',
    does: 'Checks formatting, common mistakes, words and imports.',
  },
  format: { run: 'npm run format', does: 'Fixes what the linter can fix automatically.' },
  synth: {
    run: 'npm run synth',
    does: 'Synthesizes the CloudFormation template of dev into cdk.out.',
  },
} as const satisfies Record<string, CommandRow>;

export type CommandName = keyof typeof commands;
