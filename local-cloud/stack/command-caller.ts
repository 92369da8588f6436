import type { Caller, Callers } from './caller.ts';

/** Access key of this machine's commands, which have all permissions. */
const commandAccessKey = 'local';

const commandCaller: Caller = {
  functionId: 'command',
  session: 'command',
  decide: () => 'allow',
};

/** Adds the caller for commands on this machine. */
export const withCommands = (callers: Callers): Callers =>
  new Map([...callers, [commandAccessKey, commandCaller]]);
