const asking =
  /(?:[?:>$#%»❯]|\[(?:y\/n|yes\/no)[^\]]*\]|\((?:y\/n|yes\/no)[^)]*\)|press (?:any key|enter|return).*|\(END\)|--more--.*)\s*$/i;

/** Whether the last, unfinished line of a silent command looks as if it waited for an answer. A finished line never does. */
export function looksLikePrompt(lastLine: string): boolean {
  return lastLine.length <= 400 && /\S/.test(lastLine) && asking.test(lastLine);
}
