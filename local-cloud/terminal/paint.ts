import { styleText } from 'node:util';

export type TextStyle = 'dim' | 'bold' | 'red' | 'yellow' | 'green' | 'cyan';

/** Colours a text; unchanged on a terminal without colours. */
export type Paint = (style: TextStyle, text: string) => string;

/** Colours if the stream is a terminal with colours and NO_COLOR is unset. */
export const createPaint =
  (stream: NodeJS.WriteStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream });
