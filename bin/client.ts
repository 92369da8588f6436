import { buildClient, measured, sizeOf } from '../client/generator/build.ts';
import { defineCommand, run } from '../commands/cli/command.ts';

const command = defineCommand('client').action(async () => {
  buildClient();
  console.log('Wrote client/dist. A page loads');
  for (const [what, names] of Object.entries(measured)) {
    const { minified, gzipped } = await sizeOf(...names);
    console.log(`  for ${what.replaceAll('`', '')}: ${minified} bytes, ${gzipped} with gzip`);
  }
});

await run(command);
