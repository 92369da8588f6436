/**
 * Updates links such as [`serve`](shared/http/serve.ts#L1) to the line that declares the name.
 * Throws if the file does not declare the name. `read` takes a path relative to the page.
 */
export const updateLineLinks = (
  page: string,
  path: string,
  read: (path: string) => string,
): string =>
  page.replace(/\[`(\w+)`\]\(([\w./-]+\.ts)#L\d+\)/g, (_, name: string, file: string) => {
    const line = findLine(name, read(file));
    if (line === 0) throw new Error(`${path}: ${file} does not declare ${name}.`);
    return `[\`${name}\`](${file}#L${line})`;
  });

/** Returns the line of the declaration, counted from 1; 0 if there is none. */
const findLine = (name: string, text: string): number => {
  const declaration = new RegExp(
    `^(export )?(async )?(const|function|class|interface|type) ${name}\\b`,
  );
  return text.split('\n').findIndex((line) => declaration.test(line)) + 1;
};
