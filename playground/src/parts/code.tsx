/** Text as it is, which scrolls where it is long. */
export const Code = ({ label, text }: { label: string; text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and not everybody has a wheel
  <section class="code-box" aria-label={label} tabIndex={0}>
    <pre>{text}</pre>
  </section>
);
