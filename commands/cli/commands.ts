export interface CommandRow {
  run: string;
  example?: string;
  summary: string;
}

/**
 * All commands, by their names in package.json. Source of the descriptions in `--help` and of the
 * table in docs/commands.md.
 */
export const commands = {
  start: {
    run: 'npm start',
    summary: 'Runs the whole service on this machine, without an AWS account.',
  },
  dev: {
    run: 'npm run dev',
    summary: 'Runs `npm start`, and reloads code when you save it.',
  },
  token: {
    run: 'npm run -s token',
    example: 'ann --groups team',
    summary: 'Prints a token for a user of the local cloud or a test user of a stage.',
  },
  seed: {
    run: 'npm run seed',
    example: '--stage staging --people 20',
    summary:
      'Creates test users with conversations, locally or in a stage. With --remove, deletes them.',
  },
  'import-businesses': {
    run: 'npm run import-businesses',
    example: 'listings.json --stage staging',
    summary: 'Imports business listings from a file.',
  },
  deploy: {
    run: 'npm run deploy',
    example: '--stage staging',
    summary:
      'Runs checks, shows the changes, asks for confirmation if required, deploys, and verifies the stage.',
  },
  verify: {
    run: 'npm run verify',
    example: '--stage staging',
    summary: 'Runs automated checks against a deployed or local API.',
  },
  rollback: {
    run: 'npm run rollback',
    example: '--stage prod',
    summary: 'Restores the previously deployed code immediately.',
  },
  destroy: {
    run: 'npm run destroy',
    example: '--stage dev',
    summary: 'Deletes a stage and its data. Refuses a stage that retains its data.',
  },
  redrive: {
    run: 'npm run redrive',
    example: '--stage prod',
    summary: 'Restarts unfinished purges. If feeds lack events, expires all cursors.',
  },
  restore: {
    run: 'npm run restore',
    example: '--stage prod --to 2026-11-21T10:00:00Z',
    summary: 'Restores a stage’s table to a new table, as of a point in time.',
  },
  export: {
    run: 'npm run export',
    example: '--stage prod --bucket my-exports',
    summary: 'Exports a stage’s table to a bucket, or the stage’s users to a file.',
  },
  reports: {
    run: 'npm run reports',
    example: 'list --stage prod',
    summary: 'Lists, shows and closes reports, removes reported messages, and suspends people.',
  },
  webhooks: {
    run: 'npm run webhooks',
    example: "add https://partner.example.com/hooks --types 'message.*' --stage prod",
    summary: 'Manages webhook endpoints and their secrets, and replays events.',
  },
  'export-person': {
    run: 'npm run export-person',
    example: '--contact bob --stage staging',
    summary: 'Exports the account, table items and uploaded files of one person.',
  },
  'erase-person': {
    run: 'npm run erase-person',
    example: '--contact bob --stage staging',
    summary: 'Lists the data of one person, asks for confirmation, and erases it.',
  },
  cost: {
    run: 'npm run cost',
    example: '--sends 5000000',
    summary: 'Estimates a stage’s monthly cost from measured calls and capacity.',
  },
  check: {
    run: 'npm run check',
    summary: 'Runs the pre-commit checks: types, lint, generated documents and tests.',
  },
  test: { run: 'npm test', example: 'test/lib', summary: "Runs the tests, or one folder's tests." },
  'test:acceptance': {
    run: 'npm run test:acceptance',
    summary: 'Runs the acceptance tests over HTTP, against the local cloud or `API_URL`.',
  },
  'test:generators': {
    run: 'npm run test:generators',
    summary: 'Tests the Bruno collection, and clients generated from openapi.json.',
  },
  'test:abuse': {
    run: 'npm run test:abuse',
    summary: 'Runs the abuse tests, with hostile clients alongside honest ones.',
  },
  'test:long': {
    run: 'npm run test:long',
    example: 'test/fuzz',
    summary: "Runs the slow tests, or one folder's slow tests.",
  },
  'test:thorough': {
    run: 'npm run test:thorough',
    summary: 'Runs the abuse tests and the slow tests.',
  },
  'test:emulator': {
    run: 'npm run test:emulator',
    summary: 'Runs the acceptance tests on an AWS emulator, and reports new differences.',
  },
  'test:repeat': {
    run: 'npm run test:repeat',
    example: '--runs 20',
    summary: 'Repeats the tests in random order, with new seeds. Adds CPU load to every other run.',
  },
  soak: {
    run: 'npm run soak',
    example: '--minutes 10',
    summary: 'Simulates users of a local cloud, and checks every reply.',
  },
  bench: {
    run: 'npm run bench',
    example: 'live',
    summary: 'Measures the performance of the service, of push, or of a purge.',
  },
  client: {
    run: 'npm run client',
    summary: 'Builds the client package, and reports its bundle size.',
  },
  release: {
    run: 'npm run release',
    example: '0.2.0',
    summary: 'Sets a release’s version, and adds the version and date to the changelog.',
  },
  'record-chat': {
    run: 'npm run record-chat',
    example: 'http://127.0.0.1:3000',
    summary: 'Records the README’s animation from a running playground.',
  },
  docs: {
    run: 'npm run docs',
    summary: 'Updates generated files, such as openapi.json, client types, diagrams and tables.',
  },
  types: { run: 'npm run types', summary: 'Checks the types.' },
  lint: {
    run: 'npm run lint',
    summary: 'Checks formatting, common mistakes, wording and imports.',
  },
  format: { run: 'npm run format', summary: 'Applies the linter’s automatic fixes.' },
  synth: {
    run: 'npm run synth',
    summary: 'Synthesizes the dev stage’s CloudFormation template into cdk.out.',
  },
} as const satisfies Record<string, CommandRow>;

export type CommandName = keyof typeof commands;
