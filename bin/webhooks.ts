import { Argument } from '@commander-js/extra-typings';
import { defineCommand, run } from '../commands/cli/command.ts';
import { createPrompt } from '../commands/cli/command-tools.ts';
import { dataOption, stageOrLocalOption, yesOption } from '../commands/cli/common-options.ts';
import { confirm } from '../commands/cli/confirm.ts';
import { UsageProblem } from '../commands/cli/usage-problem.ts';
import { findRunningStage } from '../commands/stage/running-stage.ts';
import { setTableEnvironment } from '../commands/stage/table-environment.ts';
import { openSecretStore } from '../commands/webhooks/secret-store.ts';

const helpText = `add      adds an endpoint by its URL, and prints its secret
list     lists endpoints
show     prints an endpoint as JSON, without its secret
rotate   creates a new secret, and signs with both secrets for a day
test     posts a test event from this machine, and prints the reply
disable  stops sending events to the endpoint until it is enabled
enable   resumes an endpoint that was disabled or paused
remove   removes an endpoint and its secret
replay   resends undelivered events of one endpoint or of all endpoints
docs/webhooks.md describes endpoints.`;

const prompt = createPrompt();

const command = defineCommand('webhooks', helpText)
  .addArgument(
    new Argument('<action>').choices([
      ...(['add', 'list', 'show', 'rotate', 'test'] as const),
      ...(['disable', 'enable', 'remove', 'replay'] as const),
    ]),
  )
  .argument('[target]', 'id of an endpoint; for add, its URL')
  .addOption(stageOrLocalOption())
  .addOption(dataOption())
  .optionsGroup('For add:')
  .option('--types <types...>', "event types, or all those of a resource, as 'message.*'", [
    'message.*',
  ])
  .option('--group <group>', 'only conversations of this group')
  .option('--contact <contact>', 'only conversations of this contact')
  .optionsGroup('For remove:')
  .addOption(yesOption())
  .action(async (action, target, { stage, data, types, group, contact, yes }) => {
    if (action === 'list' && target !== undefined) {
      throw new UsageProblem(`list accepts no id: remove ${target}.`);
    }
    if (group !== undefined && contact !== undefined) {
      throw new UsageProblem('Pass --group or --contact, not both.');
    }
    const optional = action === 'list' || action === 'replay';
    if (!optional && target === undefined) {
      const missing = action === 'add' ? 'URL' : 'id';
      throw new UsageProblem(`Missing endpoint ${missing}: pass it after ${action}.`);
    }
    const id = target ?? '';
    const running = await findRunningStage(stage, data);
    await setTableEnvironment(running);
    // The module reads the table name on import, so the name must be set first.
    const actions = await import('../commands/webhooks/endpoint-actions.ts');
    const context = {
      secrets: openSecretStore(running),
      reach: stage === undefined ? 'local' : 'public',
    } as const;
    const lines = {
      add: () =>
        actions.addEndpoint(context, { url: id, types, group_id: group, contact_id: contact }),
      list: () => actions.listLines(),
      show: () => actions.showLines(id),
      rotate: () => actions.rotateSecret(context, id),
      test: () => actions.testEndpoint(context, id),
      disable: () => actions.disable(id),
      enable: () => actions.enable(id),
      remove: async () => {
        if (!yes) await confirm({ prompt }, id, `This removes the endpoint ${id}.`, 'its id');
        return actions.removeEndpoint(context, id);
      },
      replay: () => actions.replayEvents(running, target),
    };
    for (const line of await lines[action]()) console.log(line);
  });

await run(command);
