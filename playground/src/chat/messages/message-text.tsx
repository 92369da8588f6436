import { mentionPattern } from '../../state/chat.ts';

/** Matches URLs, without the punctuation that ends a sentence. */
const urls = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/g;

interface Props {
  text: string;
  mentions: readonly string[] | undefined;
}

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

const Mentions = ({ text, ids }: { text: string; ids: readonly string[] }) =>
  text
    .split(mentionPattern)
    .map((part, n) =>
      n % 2 === 1 && ids.includes(part) ? <strong key={n}>@{part}</strong> : toPlainText(part, n),
    );

/** Restores the at sign that the split removed from every second part. */
const toPlainText = (part: string, n: number) => (n % 2 === 1 ? `@${part}` : part);
