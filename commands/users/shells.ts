/** Single quotes preserve all characters except those escaped here for each shell. */
const quoted = {
  sh: (text: string) => `'${text.replaceAll("'", `'\\''`)}'`,
  fish: (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  powershell: (text: string) => `'${text.replaceAll("'", "''")}'`,
};

/** Returns the argument, quoted if a shell could interpret a character in it. */
const wordBy = (quote: (text: string) => string) => (text: string) =>
  /^[\w./:-]+$/.test(text) ? text : quote(text);

/** The shells whose variables can be set from the output of a command. */
export const shells = {
  sh: {
    word: wordBy(quoted.sh),
    assignment: (name: string, value: string) => `export ${name}=${quoted.sh(value)}`,
    reading: (command: string) => `eval "$(${command})"`,
  },
  fish: {
    word: wordBy(quoted.fish),
    assignment: (name: string, value: string) => `set -gx ${name} ${quoted.fish(value)}`,
    reading: (command: string) => `${command} --shell fish | source`,
  },
  powershell: {
    word: wordBy(quoted.powershell),
    assignment: (name: string, value: string) => `$${name} = ${quoted.powershell(value)}`,
    reading: (command: string) => `${command} --shell powershell | Out-String | Invoke-Expression`,
  },
} as const;
export type Shell = keyof typeof shells;

export const shellNames = Object.keys(shells) as readonly string[] as readonly Shell[];

/** Returns the shell that the operator most likely uses. */
export function likelyShell(
  platform: NodeJS.Platform = process.platform,
  named: string = process.env.SHELL ?? '',
): Shell {
  if (platform === 'win32' && named === '') return 'powershell';
  return named.endsWith('fish') ? 'fish' : 'sh';
}
