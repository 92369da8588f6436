/** A request as it is shown. */
export interface CurlRequest {
  method: string;
  /** With the query. */
  path: string;
  /** The variable that holds the token. */
  variable: string;
  /** But the token's. */
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

/**
 * The request as a command for a POSIX shell, which makes it once more. The address and the token are in variables, `API` and
 * the person's: a token is a password, and is not to be copied about.
 */
export function toCurlCommand({ method, path, variable, headers, body }: CurlRequest): string {
  const usual = body === undefined ? 'GET' : 'POST';
  return [
    // -g: brackets in the address are brackets.
    `curl -g ${method === usual ? '' : `-X ${method} `}"$API"${quoteForShell(path)}`,
    `-H "Authorization: Bearer $${variable}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteForShell(body)}`]),
  ].join(' \\\n  ');
}

export interface TokenVariable {
  name: string;
  contactId: string;
  username: string;
  groups: readonly string[];
}

/** What sets the variables of the commands, in the project's folder. */
export const toVariableAssignments = (api: string, people: readonly TokenVariable[]): string =>
  [
    `API=${api}`,
    ...people.map(({ name, contactId, username, groups }) => {
      const given = groups.length > 0 ? ` --groups ${quoteForShell(groups.join(','))}` : '';
      const token = `npm run -s token -- ${quoteForShell(contactId)} --username ${quoteForShell(username)}${given}`;
      return `${name}=$(${token})`;
    }),
  ].join('\n');

/** A name that a shell takes for a variable: `ann` is ANN, `ann@home` is ANN_HOME. */
export const toVariableName = (id: string): string =>
  id
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d|$)/, 'P_');

/** Text that the shell takes as it is. */
const quoteForShell = (text: string): string =>
  /^[\w/.:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
