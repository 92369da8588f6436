interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

const startOfLine = '\r\x1b[K';
const barWidth = 20;

function toBar(count: number, total: number): string {
  const done = Math.floor((barWidth * count) / total);
  return `[${'#'.repeat(done)}${'.'.repeat(barWidth - done)}]`;
}

/**
 * Returns functions that show progress on one line of a terminal. If the stream is not a terminal,
 * the functions print nothing.
 */
export function createProgress(terminal: Terminal) {
  const write = (text: string) => {
    if (terminal.isTTY) terminal.write(`${startOfLine}${text}`);
  };
  return {
    showText: write,
    show: (count: number, total: number) =>
      write(`${toBar(count, total)} ${count} of ${total} (${Math.floor((100 * count) / total)} %)`),
    clear: () => write(''),
  };
}
