import { once } from 'node:events';
import { Option } from '@commander-js/extra-typings';
import { commandNamed, run } from '../lib/command/command.ts';
import { interruption } from '../lib/command/interruption.ts';
import { wholeNumberFrom } from '../lib/command/kinds.ts';
import { demoPeople, makeDemoData } from '../lib/demo.ts';
import { type Cloud, startCloud } from '../lib/local/cloud.ts';

const command = commandNamed('start', 'Ctrl-C stops everything.')
  .addOption(
    new Option('--port <number>', 'where the API listens')
      .argParser(wholeNumberFrom(0, 65_535))
      .env('PORT')
      .default(3000),
  )
  .option(
    '--data <folder>',
    'where the data, the keys and the synthesized stack are kept',
    '.local',
  )
  .option('--in-memory', 'forget the data at the end', false)
  .option('--no-demo', 'leave a new table empty')
  .option('--quiet', 'do not show what the functions log', false)
  .action(async ({ port, data: dataDirectory, inMemory, demo, quiet }) => {
    const interrupted = once(interruption(), 'abort').then(() => undefined);
    const starting = startCloud({
      port,
      dataDirectory,
      inMemory,
      log: quiet ? () => {} : (line) => console.log(line),
      warn: (line) => console.error(line),
    });
    const cloud = await Promise.race([starting, interrupted]);
    // What is being started then ends with this process.
    if (!cloud) process.exit(0);
    try {
      const conversation = cloud.newData && demo ? await makeDemoData(cloud) : undefined;
      console.log(await greeting(cloud, conversation));
      const failure = await Promise.race([interrupted, cloud.failed]);
      if (failure) throw failure;
    } finally {
      await cloud.stop();
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

await run(command);
