import { styleText } from 'node:util';

export type Look = 'dim' | 'bold' | 'red' | 'yellow' | 'green' | 'cyan';

/** How a text looks on a terminal; where that knows no colours, as it is. */
export type Paint = (look: Look, text: string) => string;

/** In colour where the stream is a terminal that knows colours, and nobody has said NO_COLOR. */
export const painted =
  (stream: NodeJS.WriteStream): Paint =>
  (look, text) =>
    styleText(look, text, { stream });
