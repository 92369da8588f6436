/**
 * A page with its links to lines made right: a link whose text is a name of code, such as
 * [`serve`](shared/http/serve.ts#L1), leads to the line that declares it. Throws for a name that
 * the file does not declare. `read` gives the text of a file, by its path from the page.
 */
export const updateLineLinks = (
  page: string,
  path: string,
  read: (path: string) => string,
): string =>
  page.replace(/\[`(\w+)`\]\(([\w./-]+\.ts)#L\d+\)/g, (_, name: string, file: string) => {
    const line = lineOf(name, read(file));
    if (line === 0) throw new Error(`${path}: ${file} has no ${name} of its own.`);
    return `[\`${name}\`](${file}#L${line})`;
  });

/** From 1; 0 if it is declared nowhere. */
const lineOf = (name: string, text: string): number => {
  const declaration = new RegExp(
    `^(export )?(async )?(const|function|class|interface|type) ${name}\\b`,
  );
  return text.split('\n').findIndex((line) => declaration.test(line)) + 1;
};
