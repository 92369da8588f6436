import type { Caller, Callers } from './caller.ts';

/** Access key of commands on this machine, which may do everything. */
const commandAccessKey = 'local';

const commandCaller: Caller = {
  functionId: 'command',
  session: 'command',
  decide: () => 'allow',
};

/** Returns the callers of a server that commands call too. */
export const withCommands = (callers: Callers): Callers =>
  new Map([...callers, [commandAccessKey, commandCaller]]);
