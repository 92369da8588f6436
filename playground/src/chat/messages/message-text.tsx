import { mentionPattern } from '../../state/chat.ts';

/** Matches URLs, without the punctuation that ends a sentence. */
const urls = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/g;

interface Props {
  text: string;
  /** Ids of the mentioned contacts. */
  mentions: readonly string[] | undefined;
}

/** Shows a message's text, with URLs as links and mentions highlighted. */
export const MessageText = ({ text, mentions = [] }: Props) => (
  <p class="text">
    {text.split(urls).map((part, n) =>
      n % 2 === 0 ? (
        <Mentions key={n} text={part} ids={mentions} />
      ) : (
        <a key={n} href={part} target="_blank" rel="noopener noreferrer">
          {part}
        </a>
      ),
    )}
  </p>
);

/** Shows text, with mentions of the contacts in `ids` highlighted. */
const Mentions = ({ text, ids }: { text: string; ids: readonly string[] }) =>
  text
    .split(mentionPattern)
    .map((part, n) =>
      n % 2 === 1 && ids.includes(part) ? <strong key={n}>@{part}</strong> : toPlainText(part, n),
    );

/**
 * Restores the text of a part. Every second part is an id from which the split removed the at sign.
 */
const toPlainText = (part: string, n: number) => (n % 2 === 1 ? `@${part}` : part);
