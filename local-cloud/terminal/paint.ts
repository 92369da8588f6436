import { styleText } from 'node:util';

export type TextStyle = 'dim' | 'bold' | 'red' | 'yellow' | 'green' | 'cyan';

export type Paint = (style: TextStyle, text: string) => string;

/** Creates a Paint that styles text only on a terminal with colors, unless NO_COLOR is set. */
export const createPaint =
  (stream: NodeJS.WriteStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream });
