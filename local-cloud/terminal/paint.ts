import { styleText } from 'node:util';

export type Look = 'dim' | 'bold' | 'red' | 'yellow' | 'green' | 'cyan';

/** Colours a text; unchanged on a terminal without colours. */
export type Paint = (look: Look, text: string) => string;

/** Colours if the stream is a terminal with colours and NO_COLOR is unset. */
export const painted =
  (stream: NodeJS.WriteStream): Paint =>
  (look, text) =>
    styleText(look, text, { stream });
