/** URLs in a text, without punctuation that ends a sentence. */
const urls = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/g;

/** Shows the text of a message. Its web addresses are links. */
export const MessageText = ({ text }: { text: string }) => (
  <p class="text">
    {text.split(urls).map((part, n) =>
      n % 2 === 0 ? (
        part
      ) : (
        <a key={n} href={part} target="_blank" rel="noopener noreferrer">
          {part}
        </a>
      ),
    )}
  </p>
);
