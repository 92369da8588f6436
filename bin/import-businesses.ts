/** `npm run import-businesses -- FILE`: stores the business listings of a file. */
import { parseArgs } from 'node:util';
import { businessTable } from '../lib/businesses/business-table.ts';
import { faultText } from '../lib/businesses/fault.ts';
import { importBusinesses } from '../lib/businesses/import-businesses.ts';
import { progressOn } from '../lib/businesses/progress.ts';
import { runCommand } from '../lib/command/command.ts';
import { Problem } from '../lib/problem.ts';
import { runningStage } from '../lib/running/stage.ts';

const usage = `npm run import-businesses -- FILE [options]
  FILE            JSON (a list, or an object with a list as data) or NDJSON, in UTF-8
  --stage NAME    into the deployed stage, with the AWS credentials and region of this terminal;
                  without it, into the local cloud that npm start runs
  --data DIR      the folder that npm start was given: .local
  --skip-invalid  store the records that are right although others are not
  --help          print this`;

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      stage: { type: 'string' },
      data: { type: 'string' },
      'skip-invalid': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new Problem('Give one file.');
  if (values.stage !== undefined && values.data !== undefined) {
    throw new Problem('Give --stage or --data: a stage has its data in the cloud.');
  }
  return { ...values, file };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (!options) {
    console.log(usage);
    return;
  }
  const { file, stage, data = '.local' } = options;
  const running = await runningStage(stage, data);
  const table = businessTable(running.output('TableName'), running.dynamodb);
  const progress = progressOn(process.stderr);
  const { faults, saved } = await importBusinesses({
    file,
    table,
    skipInvalid: options['skip-invalid'],
    onProgress: progress.show,
  }).finally(progress.clear);

  for (const fault of faults) console.error(faultText(file, fault));
  if (!saved) {
    console.error('\nNothing was written. With --skip-invalid the other records are.');
    process.exitCode = 1;
    return;
  }
  if (faults.length > 0) console.error('\nThese records were skipped.');
  console.log(`${saved.new} new, ${saved.changed} changed, ${saved.unchanged} unchanged.`);
}

runCommand(main, usage);
