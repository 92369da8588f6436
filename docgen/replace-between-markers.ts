/**
 * The page at that path, with what is between `<!-- name -->` and `<!-- /name -->` made anew; the
 * rest stays as it is.
 */
export function replaceBetweenMarkers(
  page: string,
  path: string,
  name: string,
  content: string,
): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) {
    throw new Error(`${path} needs the lines ${begin} and ${end}: ${name} goes between them.`);
  }
  return `${page.slice(0, from + begin.length)}\n\n${content}\n\n${page.slice(to)}`;
}
