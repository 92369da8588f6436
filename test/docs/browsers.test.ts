import { expect, test } from '@jest/globals';
import { exposedHeaders, requestHeaders } from '../../shared/contract/headers.ts';
import { read } from './pages.ts';

test('The page for app developers names the headers that pages may send and read, and no others', () => {
  const [, browsers = ''] = read('docs/api.md').split('\n## Browsers\n');
  const [sent, readable] = browsers.split('\n## ')[0]?.split(', and read ') ?? [];
  const headersIn = (text = '') =>
    [...text.matchAll(/`([A-Z][A-Za-z-]*)`/g)].map(([, name]) => name);
  expect([headersIn(sent), headersIn(readable)]).toEqual([
    [...requestHeaders],
    [...exposedHeaders],
  ]);
});
