import { documentedBaseUrl } from '../openapi/documented-base-url.ts';
import { errorExamples } from '../openapi/responses/error-examples.ts';
import { errorConventions, errorEntries } from './error-entries.ts';

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Escapes a text and marks up code between backticks. */
const toHtml = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** Not specific to a stage, because every stage serves it. */
const example = JSON.stringify(errorExamples.parameter_missing?.value, undefined, 2).replaceAll(
  documentedBaseUrl,
  'https://…',
);

const rows = errorEntries.map(
  ({ code, statuses, meaning }) => `        <tr>
          <td>${statuses.join(', ')}</td>
          <td><a href="#${code}"><code>${code}</code></a></td>
          <td>${toHtml(meaning)}</td>
        </tr>`,
);

/** The id is the anchor in a reply's `documentation_url`. */
const sections = errorEntries.map(
  ({ code, status, also, meaning, cure }) => `    <section id="${code}">
      <h2><code>${code}</code></h2>
      <p><strong>${status}</strong>${also} · ${toHtml(meaning)}</p>
      <p>${toHtml(cure)}</p>
    </section>`,
);

/** docs/errors.md as a page for browsers that works without scripts. */
export const errorsHtml = `<!doctype html>
<!-- Written by \`npm run docs\` from shared/contract/errors.ts: change it there. -->
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Errors: Messaging service</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="assets/{{reference.css}}">
  </head>
  <body class="page">
    <nav><a href="../docs">Reference</a></nav>
    <main>
    <h1>Errors</h1>
    <p>All errors have the same format:</p>
    <pre><code>${escapeHtml(example)}</code></pre>
    <p>${toHtml(errorConventions)}</p>
    <table>
      <thead>
        <tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr>
      </thead>
      <tbody>
${rows.join('\n')}
      </tbody>
    </table>
${sections.join('\n')}
    </main>
  </body>
</html>
`;
