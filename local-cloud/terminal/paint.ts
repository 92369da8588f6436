import { styleText } from 'node:util';

export type TextStyle = 'dim' | 'bold' | 'red' | 'yellow' | 'green' | 'cyan';

/** Returns the styled text; unchanged on a terminal without colours. */
export type Paint = (style: TextStyle, text: string) => string;

/**
 * Creates a Paint that styles text if the stream is a terminal with colours and NO_COLOR is unset.
 */
export const createPaint =
  (stream: NodeJS.WriteStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream });
