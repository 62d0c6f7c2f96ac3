/** Text in a result ends here, in UTF-16 units. */
export const maxResultCharacters = 200_000;

/** The beginning of a text, cut after a whole line where there is one and never inside a character. */
export function clipText(
  text: string,
  limit = maxResultCharacters,
): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= limit) return { text, truncated: false };
  const lineEnd = text.lastIndexOf('\n', limit - 1);
  const at = lineEnd === -1 ? limit : lineEnd + 1;
  const code = text.charCodeAt(at - 1);
  const splitsPair = code >= 0xd800 && code < 0xdc00;
  return { text: text.slice(0, splitsPair ? at - 1 : at), truncated: true };
}
