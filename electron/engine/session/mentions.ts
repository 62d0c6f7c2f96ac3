/**
 * The paths that a message mentions as `@path`, in order, each once. A blank in a path is written `@"a b.txt"`. An `@`
 * inside a word (an e-mail address, a scoped package) mentions nothing; punctuation at the end is not part of a path.
 */
export function mentionsOf(text: string): readonly string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(/(?<=^|[\s([{'"`,;:])@(?:"(?<quoted>[^"\n]+)"|(?<plain>[^\s"'`@]+))/g)) {
    const { quoted, plain } = match.groups ?? {};
    const path = quoted ?? (plain ?? '').replace(/[.,;:!?)\]}>]+$/, '');
    if (path !== '') found.add(path.replace(/(?<=.)\/$/, ''));
  }
  return [...found];
}
