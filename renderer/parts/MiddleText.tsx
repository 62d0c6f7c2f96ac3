/** Kept of the end: names that differ often differ there. */
const tailChars = 8;

/** A name that is shortened in its middle where room is short, so that its beginning and its end can be read. */
export function MiddleText({ text }: { readonly text: string }) {
  const characters = [...text];
  const cut = characters.length > 2 * tailChars ? characters.length - tailChars : characters.length;
  return (
    <span className="flex min-w-0" title={text}>
      <span className="min-w-[4em] truncate">{characters.slice(0, cut).join('')}</span>
      {cut < characters.length && <span className="shrink-0 whitespace-pre">{characters.slice(cut).join('')}</span>}
    </span>
  );
}
