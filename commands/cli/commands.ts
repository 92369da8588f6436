/** How a command is called, what it may be given, for example, and what it does. */
export interface CommandRow {
  run: string;
  example?: string;
  does: string;
}

/** All commands, by their names in package.json: what `--help` begins with, and the README's table. */
export const commands = {
  start: {
    run: 'npm start',
    does: 'Runs the whole service on this machine, without an account.',
  },
  dev: {
    run: 'npm run dev',
    does: 'Does the same, and has what you change serve as soon as you save it.',
  },
  token: {
    run: 'npm run -s token',
    example: 'ann --groups team',
    does: 'Prints a token: of anybody for the local cloud, of a test user for a deployed stage.',
  },
  'import-businesses': {
    run: 'npm run import-businesses',
    example: 'listings.json --stage staging',
    does: 'Stores the business listings of a file.',
  },
  deploy: {
    run: 'npm run deploy',
    example: '--stage staging',
    does: 'Checks, shows what would change, asks, deploys, and looks whether the stage works.',
  },
  verify: {
    run: 'npm run verify',
    example: '--stage staging',
    does: 'Looks whether a stage works, as far as a program can see.',
  },
  rollback: {
    run: 'npm run rollback',
    example: '--stage prod',
    does: 'Has the code that served before serve again, at once.',
  },
  destroy: {
    run: 'npm run destroy',
    example: '--stage dev',
    does: 'Removes a stage with its data; refuses for a stage that keeps its data.',
  },
  redrive: {
    run: 'npm run redrive',
    example: '--stage prod',
    does: 'Has the purge of deleted conversations begin again where it was given up, and feeds begin anew where something is missing.',
  },
  restore: {
    run: 'npm run restore',
    example: '--stage prod --to 2026-11-21T10:00:00Z',
    does: 'Makes a new table of what the table of a stage was at that time.',
  },
  export: {
    run: 'npm run export',
    example: '--stage prod --bucket my-exports',
    does: 'Writes the items of a stage’s table to a bucket, or the users of its pool to a file.',
  },
  'export-person': {
    run: 'npm run export-person',
    example: '--contact bob --stage staging',
    does: 'Writes what a stage has of one person to a file.',
  },
  'erase-person': {
    run: 'npm run erase-person',
    example: '--contact bob --stage staging',
    does: 'Tells what a stage has of one person, asks, and erases it everywhere.',
  },
  cost: {
    run: 'npm run cost',
    example: '--sends 5000000',
    does: 'Says what a stage costs in a month, from measured budgets.',
  },
  check: {
    run: 'npm run check',
    does: 'What to run before a commit: types, lint, whether the documents are up to date, tests.',
  },
  test: { run: 'npm test', example: 'test/lib', does: 'Runs the tests, or those below a folder.' },
  'test:acceptance': {
    run: 'npm run test:acceptance',
    does: 'Tells the stories of test/acceptance to the local cloud, or to the API at `API_URL`.',
  },
  'test:generators': {
    run: 'npm run test:generators',
    does: 'Has generators of clients read openapi.json, people talk by what they made, and the collection run.',
  },
  'test:abuse': {
    run: 'npm run test:abuse',
    does: 'Tells what hostile people do, beside honest ones whose calls are judged.',
  },
  'test:long': {
    run: 'npm run test:long',
    example: 'test/fuzz',
    does: 'Runs the tests that take long, or those below a folder.',
  },
  'test:repeat': {
    run: 'npm run test:repeat',
    example: '--runs 20',
    does: 'Runs the tests repeatedly, with new seeds, in random order, half of them on a busy machine.',
  },
  'test:thorough': { run: 'npm run test:thorough', does: 'Runs both of these.' },
  soak: {
    run: 'npm run soak',
    example: '--minutes 10',
    does: 'Has people use a local cloud for a while, and checks everything that it answers.',
  },
  bench: {
    run: 'npm run bench',
    example: 'live',
    does: 'Measures how soon people are told, or what the purge of a large conversation does to others.',
  },
  client: {
    run: 'npm run client',
    does: 'Builds the client of client/ to be published, and says what a page that uses it loads.',
  },
  release: {
    run: 'npm run release',
    example: '0.2.0',
    does: 'Sets the version and dates the changelog for a release.',
  },
  'record-chat': {
    run: 'npm run record-chat',
    example: 'http://127.0.0.1:3000',
    does: 'Records the picture of the README from the playground of a running local cloud.',
  },
  docs: {
    run: 'npm run docs',
    does: 'Writes what follows from the contract, the template and the commands: openapi.json, docs/errors.md, docs/bruno, what client/ has of the contract, the picture and the tables of the README.',
  },
  types: { run: 'npm run types', does: 'Checks the types.' },
  lint: { run: 'npm run lint', does: 'Checks form, likely mistakes, and who may import whom.' },
  format: { run: 'npm run format', does: 'Mends what the linter can mend by itself.' },
  synth: { run: 'npm run synth', does: 'Synthesizes the template of dev into cdk.out.' },
} as const satisfies Record<string, CommandRow>;

export type CommandName = keyof typeof commands;
