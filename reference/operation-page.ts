import { bodyErrors } from '../shared/contract/operation.ts';
import type { Field } from './fields.ts';
import { codeBlock, escapeHtml, tabs, toInlineHtml } from './html.ts';
import type { ReferenceOperation } from './openapi.ts';
import { isLanguage, languages, toSamples } from './samples.ts';

export function renderOperation(operation: ReferenceOperation, baseUrl: string): string {
  const { row, id } = operation;
  return `<div class="operation">
<div class="explanation">
<h1>${row.summary}</h1>
<p class="endpoint"><span class="method ${row.method.toLowerCase()}">${row.method}</span> <code>${row.path}</code></p>
<p>${toInlineHtml(row.description)}</p>
${renderInput(operation)}
${renderReplies(operation)}
${renderErrors(operation)}
<p class="note"><a href="conventions">Requests and replies</a> lists the headers and errors that all operations share. This page is also available as <a href="${id}.md">Markdown</a>.</p>
</div>
<div class="samples">
${tabs('sample', 'Request', toTabs(operation, baseUrl))}
${renderForm(operation, baseUrl)}
<h2>Reply ${row.status}</h2>
<div class="reply">${codeBlock(JSON.stringify(operation.reply.example, undefined, 2), 'json')}</div>
</div>
</div>`;
}

const toTabs = (operation: ReferenceOperation, baseUrl: string) =>
  Object.entries(toSamples(operation, baseUrl)).flatMap(([language, code]) =>
    isLanguage(language) ? [{ title: languages[language], language, code }] : [],
  );

function renderInput({ parameters, body }: ReferenceOperation): string {
  const selectParameters = (location: string) => parameters.filter((one) => one.in === location);
  const fields = body?.fields ?? [];
  const isInBoth = ({ name }: Field) => name === 'expand[]' && fields.some(isExpand);
  return [
    renderSection('Path parameters', selectParameters('path')),
    renderSection(
      'Query parameters',
      selectParameters('query').map((one) => (isInBoth(one) ? withBodyNote(one) : one)),
    ),
    renderSection(
      'Body',
      fields.filter((one) => !isExpand(one)),
    ),
    renderHeaders(selectParameters('header')),
  ].join('');
}

const isExpand = ({ name }: Field) => name === 'expand';

const withBodyNote = (field: Field): Field => ({
  ...field,
  description: `${field.description} The body accepts it too, as \`expand\`.`,
});

/** Renders only the headers' names, because the conventions page explains the headers. */
function renderHeaders(headers: readonly Field[]): string {
  if (headers.length === 0) return '';
  const names = headers.map(({ name }) => `<code>${escapeHtml(name)}</code>`);
  return `<p class="note">Accepts ${names.join(' and ')}: see <a href="conventions#request-headers">request headers</a>.</p>`;
}

const renderSection = (title: string, fields: readonly Field[]) =>
  fields.length === 0 ? '' : `<h2 id="${toId(title)}">${title}</h2>${renderFields(fields)}`;

const toId = (title: string) => title.toLowerCase().replaceAll(' ', '-');

const renderFields = (fields: readonly Field[]): string =>
  `<dl class="fields">${fields.map(renderField).join('')}</dl>`;

function renderField({ name, type, required, description, fields }: Field): string {
  const mark = required ? ' <strong class="required">required</strong>' : '';
  const text = description ? `<p>${toInlineHtml(description)}</p>` : '';
  const parts =
    fields.length === 0
      ? ''
      : `<details><summary>Fields of <code>${name}</code></summary>${renderFields(fields)}</details>`;
  return `<div><dt><code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(type)}</span>${mark}</dt><dd>${text}${parts}</dd></div>`;
}

function renderReplies({ successes, reply }: ReferenceOperation): string {
  const rows = successes.map(({ status, description }) =>
    renderRow(status, toInlineHtml(description)),
  );
  return `<h2 id="reply">Reply</h2><ul class="statuses">${rows.join('')}</ul>
<details><summary>Fields of the reply</summary>${renderFields(reply.fields.map((field) => ({ ...field, required: false })))}</details>`;
}

function renderErrors({ errors, body }: ReferenceOperation): string {
  if (errors.length === 0) return '';
  const ofBody = body ? errors.filter(({ code }) => bodyErrors.some((one) => one === code)) : [];
  const others = errors.filter((one) => !ofBody.includes(one));
  const rows = [
    ...others.map((error) =>
      renderRow(error.status, `${link(error)} ${toInlineHtml(error.meaning)}`),
    ),
    ...(ofBody.length === 0
      ? []
      : [renderRow('4xx', `Invalid request: ${ofBody.map(link).join(', ')}`)]),
  ];
  return `<h2 id="errors">Errors</h2><ul class="statuses">${rows.join('')}</ul>`;
}

const link = ({ code }: { code: string }) => `<a href="errors#${code}"><code>${code}</code></a>`;

const renderRow = (status: number | string, html: string) =>
  `<li><span class="status">${status}</span><span>${html}</span></li>`;

/** Renders the form with the attributes that the page's script needs to send the request. */
function renderForm({ row, parameters, body }: ReferenceOperation, baseUrl: string): string {
  const inputs = parameters.map(({ name, required, example, in: location }) => {
    const isList = name.endsWith('[]');
    const value = location === 'query' && example !== undefined ? [example].flat().join(' ') : '';
    return `<label>${escapeHtml(name)}${required ? ' (required)' : ''}${isList ? ' (separated by spaces)' : ''}
<input name="${escapeHtml(name)}" data-in="${location}"${required ? ' required' : ''} value="${escapeHtml(location === 'query' && /_id$/.test(name) ? '' : value)}"></label>`;
  });
  const area = body
    ? `<label>Body<textarea name="body" rows="6" spellcheck="false">${escapeHtml(JSON.stringify(body.example, undefined, 2))}</textarea></label>`
    : '';
  return `<details class="try"><summary>Send a request</summary>
<form data-method="${row.method}" data-url="${baseUrl}${row.path}">
<label>Token<input name="token" type="password" autocomplete="off" required></label>
${inputs.join('\n')}
${area}
<button type="submit">Send</button>
<output aria-live="polite"></output>
</form></details>`;
}
