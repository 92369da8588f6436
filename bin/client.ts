import { buildClient, sizeMeasurements } from '../client/generator/build-client.ts';
import { defineCommand, run } from '../commands/cli/command.ts';

const command = defineCommand('client').action(async () => {
  buildClient();
  console.log('Wrote client/dist. Bundle sizes:');
  for (const [name, measure] of Object.entries(sizeMeasurements)) {
    const { minified, gzip, brotli } = await measure();
    console.log(
      `  for ${name.replaceAll('`', '')}: ${minified} bytes, ${gzip} with gzip, ${brotli} with Brotli`,
    );
  }
});

await run(command);
