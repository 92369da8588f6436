export const Code = ({ label, text }: { label: string; text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
  <section class="code-box" aria-label={label} tabIndex={0}>
    <pre>{text}</pre>
  </section>
);
