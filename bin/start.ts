/** `npm start`: the whole service on this machine. */
import { parseArgs } from 'node:util';
import { demoPeople, makeDemoData } from '../lib/demo.ts';
import { type Cloud, startCloud } from '../lib/local/cloud.ts';
import { codeOf, messageOf, Problem } from '../lib/problem.ts';

const usage = `npm start -- [options]
  --port N      where the API listens; else the variable PORT, else 3000
  --data DIR    where the data, the keys and the synthesized stack are kept: .local
  --in-memory   forget the data at the end
  --no-demo     leave a new table empty
  --quiet       do not show what the functions log
  --help        print this`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      data: { type: 'string', default: '.local' },
      'in-memory': { type: 'boolean', default: false },
      'no-demo': { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const port = values.port ?? (process.env.PORT || '3000');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Problem(`'${port}' is no port: give a number from 0 to 65535.`);
  }
  return { ...values, port: Number(port) };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) {
    console.log(usage);
    return;
  }
  const interrupted = interruption();
  const starting = startCloud({
    port: options.port,
    dataDirectory: options.data,
    inMemory: options['in-memory'],
    log: options.quiet ? () => {} : (line) => console.log(line),
    warn: (line) => console.error(line),
  });
  const cloud = await Promise.race([starting, interrupted]);
  // What is being started then ends with this process.
  if (!cloud) process.exit(0);
  try {
    const makesDemo = cloud.newData && !options['no-demo'];
    const conversation = makesDemo ? await makeDemoData(cloud) : undefined;
    console.log(await greeting(cloud, conversation));
    const failure = await Promise.race([interrupted, cloud.failed]);
    if (failure) throw failure;
  } finally {
    await cloud.stop();
  }
}

/** Settles at the first Ctrl-C; more of them change nothing. */
const interruption = () =>
  new Promise<undefined>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => resolve(undefined));
    }
  });

/** What there is to know and to copy; the commands work as they are printed. */
async function greeting({ url, token }: Cloud, conversation: string | undefined): Promise<string> {
  const tokens = Object.entries(demoPeople).map(
    async ([person, claims]) => `export ${person.toUpperCase()}=${await token(person, claims)}`,
  );
  return [
    `\nThe API is at ${url}`,
    '\nTokens, good for twelve hours:\n',
    ...(await Promise.all(tokens)),
    '\nAnd then, in the same terminal:\n',
    ...(conversation
      ? [
          `curl -H "Authorization: Bearer $BOB" '${url}/v1/messages?conversation_id=${conversation}'`,
        ]
      : []),
    `curl -H "Authorization: Bearer $ANN" -d contact_id=bob ${url}/v1/conversations`,
    '\nMore tokens: npm run -s token -- dave --groups team',
    'Ctrl-C stops everything.\n',
  ].join('\n');
}

main().catch((error) => {
  const isBadOption = String(codeOf(error)).startsWith('ERR_PARSE_ARGS');
  if (isBadOption) console.error(`${messageOf(error)} (npm start -- --help tells the options)`);
  else console.error(error instanceof Problem ? error.message : error);
  process.exit(1);
});
