/** What of a stream the progress is shown on. */
interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

const startOfLine = '\r\x1b[K';

/** Shows on one line of a terminal how far things are; elsewhere, such as in a log, nothing. */
export function progressOn(terminal: Terminal) {
  const write = (text: string) => {
    if (terminal.isTTY) terminal.write(`${startOfLine}${text}`);
  };
  return {
    showText: write,
    show: (done: number, all: number) =>
      write(`${done} of ${all} (${Math.floor((100 * done) / all)} %)`),
    clear: () => write(''),
  };
}
