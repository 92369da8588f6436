import { expect, test } from '@jest/globals';
import { exposedHeaders, requestHeaders } from '../../shared/contract/headers.ts';
import { read } from './pages.ts';

test('The page for app developers names the headers that pages may send and read, and no others', () => {
  const [, sent, readable] =
    /They may\s+send ([^.]*), and read ([^.]*)\./.exec(read('docs/api.md')) ?? [];
  const headersIn = (text = '') =>
    [...text.matchAll(/`([A-Z][A-Za-z-]*)`/g)].map(([, name]) => name);
  expect([headersIn(sent), headersIn(readable)]).toEqual([
    [...requestHeaders],
    [...exposedHeaders],
  ]);
});
