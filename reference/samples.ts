import type { ReferenceOperation } from './openapi.ts';

/** Titles of the sample languages, by the language of a code block. */
export const languages = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  swift: 'Swift',
  kotlin: 'Kotlin',
} as const;
export type Language = keyof typeof languages;

export const isLanguage = (name: string | undefined): name is Language =>
  name !== undefined && Object.hasOwn(languages, name);

interface Call {
  method: string;
  /** URL without the query. */
  url: string;
  query: readonly (readonly [string, unknown])[];
  body: unknown;
}

export function toSamples(
  operation: ReferenceOperation,
  baseUrl: string,
): Record<Language, string> {
  const call = toCall(operation, baseUrl);
  return {
    sh: toCurl(call),
    ts: toTypeScript(operation, baseUrl),
    python: toPython(call),
    swift: toSwift(call),
    kotlin: toKotlin(call),
  };
}

function toCall({ row, parameters, body }: ReferenceOperation, baseUrl: string): Call {
  const exampleParameters = parameters.filter(({ example }) => example !== undefined);
  const path = exampleParameters
    .filter((one) => one.in === 'path')
    .reduce<string>(
      (url, { name, example }) => url.replace(`{${name}}`, String(example)),
      row.path,
    );
  return {
    method: row.method,
    url: `${baseUrl}${path}`,
    query: exampleParameters
      .filter((one) => one.in === 'query')
      .flatMap(({ name, example }) => [example].flat().map((value) => [name, value] as const)),
    body: body?.example,
  };
}

const toJson = (value: unknown) => JSON.stringify(value, undefined, 2);
const indent = (text: string, indentation: string) => text.replaceAll('\n', `\n${indentation}`);
const toUrl = ({ url, query }: Call) =>
  query.length === 0
    ? url
    : `${url}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, String(value)]))}`;

function toCurl({ method, url, query, body }: Call): string {
  const flags = [
    ...(method === 'PUT' || method === 'DELETE' ? [`-X ${method}`] : []),
    '-H "Authorization: Bearer $TOKEN"',
    ...query.map(([name, value]) => `-d '${name}=${value}'`),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${toJson(body).replaceAll("'", "'\\''")}'`]),
  ];
  return [`curl ${query.length > 0 ? '-G ' : ''}${url}`, ...flags].join(' \\\n  ');
}

function toTypeScript({ row, parameters, body }: ReferenceOperation, baseUrl: string): string {
  const [resource, verb] = row.id.split('/');
  const params = {
    ...Object.fromEntries(
      parameters
        .filter(({ example }) => example !== undefined)
        .map(({ name, example }) => [name.replace('[]', ''), example]),
    ),
    ...Object(body?.example),
  };
  const input = Object.keys(params).length > 0 ? toLiteral(params, typeScriptWords) : '';
  const method = `client.${resource}.${verb}(${input})`;
  return `import { createClient } from 'messaging-service-client';

const client = createClient({
  url: '${baseUrl}',
  token: process.env.TOKEN ?? '',
});

const reply = await ${row.list ? `${method}.page()` : method};
console.log(reply);`;
}

function toPython({ method, url, query, body }: Call): string {
  const pairs = query.map(([name, value]) => {
    // `urlencode` would send a Python boolean as `True`.
    const text = typeof value === 'boolean' ? String(value) : value;
    return `    (${toLiteral(name)}, ${toLiteral(text)}),`;
  });
  const data = () => `json.dumps(${toLiteral(body)}).encode()`.replaceAll('  ', '    ');
  return `import json
import os
import urllib.request
${query.length > 0 ? `from urllib.parse import urlencode\n\nquery = urlencode([\n${pairs.join('\n')}\n])` : ''}
request = urllib.request.Request(
    ${query.length > 0 ? `f"${url}?{query}"` : `"${url}"`},
    method="${method}",
    headers={
        "Authorization": f"Bearer {os.environ['TOKEN']}",${body === undefined ? '' : '\n        "Content-Type": "application/json",'}
    },${body === undefined ? '' : `\n    data=${indent(data(), '    ')},`}
)
with urllib.request.urlopen(request) as reply:
    print(json.load(reply))`;
}

function toSwift(call: Call): string {
  const { method, body } = call;
  return [
    'import Foundation',
    '',
    `var request = URLRequest(url: URL(string: "${toUrl(call)}")!)`,
    ...(method === 'GET' ? [] : [`request.httpMethod = "${method}"`]),
    'request.setValue("Bearer \\(token)", forHTTPHeaderField: "Authorization")',
    ...(body === undefined
      ? []
      : [
          'request.setValue("application/json", forHTTPHeaderField: "Content-Type")',
          `request.httpBody = Data(#"""\n  ${indent(toJson(body), '  ')}\n  """#.utf8)`,
        ]),
    'let (data, _) = try await URLSession.shared.data(for: request)',
    'print(String(decoding: data, as: UTF8.self))',
  ].join('\n');
}

function toKotlin(call: Call): string {
  const { method, body } = call;
  const json = () => `"""\n    ${indent(toJson(body), '    ')}\n  """.trimIndent()`;
  const content =
    body === undefined ? '' : `${json()}.toRequestBody("application/json".toMediaType())`;
  return `val request = Request.Builder()
  .url("${toUrl(call)}")
  .header("Authorization", "Bearer $token")
  .${method.toLowerCase()}(${content})
  .build()
OkHttpClient().newCall(request).execute().use { println(it.body?.string()) }`;
}

interface Words {
  quote: '"' | "'";
  true: string;
  false: string;
  null: string;
  toKey(name: string): string;
}
const typeScriptWords: Words = {
  quote: "'",
  true: 'true',
  false: 'false',
  null: 'null',
  toKey: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)),
};
const pythonWords: Words = {
  quote: '"',
  true: 'True',
  false: 'False',
  null: 'None',
  toKey: (name) => JSON.stringify(name),
};

const inlineLength = 48;

/** Returns a value as source text, on one line if it is short. */
function toLiteral(value: unknown, words: Words = pythonWords): string {
  if (value === null) return words.null;
  if (typeof value === 'boolean') return value ? words.true : words.false;
  if (typeof value === 'string') {
    const quoted = JSON.stringify(value);
    return words.quote === '"' ? quoted : `'${quoted.slice(1, -1).replaceAll("'", "\\'")}'`;
  }
  if (typeof value !== 'object') return String(value);
  const isList = Array.isArray(value);
  const parts = Object.entries(Object(value)).map(([name, part]) =>
    isList ? toLiteral(part, words) : `${words.toKey(name)}: ${toLiteral(part, words)}`,
  );
  const [open, close] = isList ? ['[', ']'] : words.quote === '"' ? ['{', '}'] : ['{ ', ' }'];
  const inline = `${open}${parts.join(', ')}${close}`;
  if (inline.length <= inlineLength && !inline.includes('\n')) return inline;
  return `${open.trim()}\n  ${parts.map((part) => indent(part, '  ')).join(',\n  ')},\n${close.trim()}`;
}
