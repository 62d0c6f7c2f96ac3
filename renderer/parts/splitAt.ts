/** Splits a text at each place of what is sought: what is between them at even places, what was found at odd ones. */
export function splitAt(text: string, sought: string, caseSensitive: boolean): readonly string[] {
  if (sought === '') return [text];
  const fold = (part: string): string => (caseSensitive ? part : part.toLowerCase());
  const folded = fold(text);
  // Few characters change their length with their case; where one does, places would be off.
  if (folded.length !== text.length) return [text];
  const wanted = fold(sought);
  const parts: string[] = [];
  let from = 0;
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}
