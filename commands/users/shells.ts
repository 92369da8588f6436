/** Single quotes preserve all characters except those escaped here for each shell. */
const quotes = {
  sh: (text: string) => `'${text.replaceAll("'", `'\\''`)}'`,
  fish: (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  // PowerShell treats these typographic characters as single quotes.
  powershell: (text: string) => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`,
};

/** Creates a function that quotes an argument if a shell could interpret a character in it. */
const createQuoter = (quote: (text: string) => string) => (text: string) =>
  /^[\w./:-]+$/.test(text) ? text : quote(text);

export const shells = {
  sh: {
    quote: createQuoter(quotes.sh),
    assignment: (name: string, value: string) => `export ${name}=${quotes.sh(value)}`,
    evaluate: (command: string) => `eval "$(${command})"`,
  },
  fish: {
    quote: createQuoter(quotes.fish),
    assignment: (name: string, value: string) => `set -gx ${name} ${quotes.fish(value)}`,
    evaluate: (command: string) => `${command} --shell fish | source`,
  },
  powershell: {
    quote: createQuoter(quotes.powershell),
    assignment: (name: string, value: string) => `$${name} = ${quotes.powershell(value)}`,
    evaluate: (command: string) => `${command} --shell powershell | Out-String | Invoke-Expression`,
  },
} as const;
export type Shell = keyof typeof shells;

export const shellNames = Object.keys(shells) as readonly string[] as readonly Shell[];

export function guessShell(
  platform: NodeJS.Platform = process.platform,
  shellPath: string = process.env.SHELL ?? '',
): Shell {
  if (platform === 'win32' && shellPath === '') return 'powershell';
  return shellPath.endsWith('fish') ? 'fish' : 'sh';
}
