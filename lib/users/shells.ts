/** The shells whose variables can be set from what a command prints. */
export const shells = {
  sh: {
    /** Single quotes keep everything but a single quote. */
    assignment: (name: string, value: string) =>
      `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
    reading: (command: string) => `eval "$(${command})"`,
  },
  fish: {
    assignment: (name: string, value: string) =>
      `set -gx ${name} '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
    reading: (command: string) => `${command} --shell fish | source`,
  },
  powershell: {
    assignment: (name: string, value: string) => `$${name} = '${value.replaceAll("'", "''")}'`,
    reading: (command: string) => `${command} --shell powershell | Out-String | Invoke-Expression`,
  },
} as const;
export type Shell = keyof typeof shells;

export const shellNames = Object.keys(shells) as readonly string[] as readonly Shell[];

/** The shell that whoever started this is likely to type into. */
export function likelyShell(
  platform: NodeJS.Platform = process.platform,
  named: string = process.env.SHELL ?? '',
): Shell {
  if (platform === 'win32' && named === '') return 'powershell';
  return named.endsWith('fish') ? 'fish' : 'sh';
}
