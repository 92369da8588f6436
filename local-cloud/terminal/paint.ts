import { styleText } from 'node:util';

export type TextStyle = 'dim' | 'bold' | 'red' | 'yellow' | 'green' | 'cyan';

export type Paint = (style: TextStyle, text: string) => string;

/**
 * Creates a Paint that styles text if the stream is a terminal with colors and NO_COLOR is not set.
 */
export const createPaint =
  (stream: NodeJS.WriteStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream });
