import { Option } from '@commander-js/extra-typings';
import { defineCommand, run } from '../commands/cli/command.ts';
import { dataOption, stageOrLocalOption } from '../commands/cli/common-options.ts';
import { createIntegerParser } from '../commands/cli/option-parsers.ts';
import { createProgress } from '../commands/cli/progress.ts';
import { createSeed } from '../commands/seed/create-seed.ts';
import { removeSeed } from '../commands/seed/remove-seed.ts';
import { maxPeople, openSeedTarget, seedGroup } from '../commands/seed/seed-target.ts';

const helpText = `The people are called seed-1, seed-2 and so on, and are members of the group ${seedGroup}. Each person has a direct conversation with the next, and the group has one conversation.`;

const command = defineCommand('seed', helpText)
  .addOption(stageOrLocalOption())
  .addOption(dataOption())
  .option('--people <number>', 'number of people', createIntegerParser(2, maxPeople), 10)
  .option('--messages <number>', 'messages per conversation', createIntegerParser(1, 10_000), 30)
  .addOption(
    new Option('--remove', 'delete the people and all their conversations')
      .default(false)
      .conflicts(['people', 'messages']),
  )
  .option('--yes-prod', 'allow a stage that retains its data', false)
  .action(async ({ data: directory, stage, people, messages, remove, yesProd }) => {
    const target = await openSeedTarget({ stage, directory, yesProd });
    if (remove) {
      const { conversations, items } = await removeSeed(target);
      console.log(
        `Deleted ${conversations} conversations and ${items} other items of the seeded users.`,
      );
      return;
    }
    const { show, clear } = createProgress(process.stderr);
    const created = await createSeed(target, { people, messages }, show).finally(clear);
    console.log(
      `Created ${people} people, ${created.conversations} conversations and ${created.messages} messages. For a token of the first person:
  npm run -s token -- ${stage === undefined ? `seed-1 --groups ${seedGroup}` : `--stage ${stage} --user seed-1`}`,
    );
  });

await run(command);
