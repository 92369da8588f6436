import { styleText } from 'node:util';

export type TextStyle = 'dim' | 'bold' | 'red' | 'yellow' | 'green' | 'cyan';

/** Returns the text in the style. On a terminal without colours, returns the text unchanged. */
export type Paint = (style: TextStyle, text: string) => string;

/**
 * Creates a Paint that styles text if the stream is a terminal with colours and NO_COLOR is unset.
 */
export const createPaint =
  (stream: NodeJS.WriteStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream });
