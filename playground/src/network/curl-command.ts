export interface CurlRequest {
  method: string;
  /** Path with its query. */
  path: string;
  /** Shell variable that contains the token. */
  variable: string;
  /** All headers except `Authorization`. */
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

/**
 * Returns a POSIX shell command that repeats the request. The command reads the API's address and
 * the token from variables, because a copied token may leak.
 */
export function toCurlCommand({ method, path, variable, headers, body }: CurlRequest): string {
  const defaultMethod = body === undefined ? 'GET' : 'POST';
  return [
    // With -g, curl takes brackets in the URL literally.
    `curl -g ${method === defaultMethod ? '' : `-X ${method} `}"$API"${quoteForShell(path)}`,
    `-H "Authorization: Bearer $${variable}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteForShell(body)}`]),
  ].join(' \\\n  ');
}

/** Returns a POSIX shell command that uploads the file `name`. */
export const toUploadCommand = (
  { url, headers }: { url: string; headers: Readonly<Record<string, string>> },
  name: string,
): string =>
  [
    `curl -T ${quoteForShell(name)} ${quoteForShell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
  ].join(' \\\n  ');

export interface TokenVariable {
  name: string;
  contactId: string;
  username: string;
  groups: readonly string[];
}

/**
 * Returns commands that set the curl commands' variables. Run the commands in the project's folder.
 */
export const toVariableAssignments = (api: string, people: readonly TokenVariable[]): string =>
  [
    `API=${api}`,
    ...people.map(({ name, contactId, username, groups }) => {
      const groupsOption = groups.length > 0 ? ` --groups ${quoteForShell(groups.join(','))}` : '';
      const token = `npm run -s token -- ${quoteForShell(contactId)} --username ${quoteForShell(username)}${groupsOption}`;
      return `${name}=$(${token})`;
    }),
  ].join('\n');

/** Returns a valid variable name, such as `ANN_HOME` for `ann@home`. */
export const toVariableName = (id: string): string =>
  id
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d|$)/, 'P_');

const quoteForShell = (text: string): string =>
  /^[\w/.:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
