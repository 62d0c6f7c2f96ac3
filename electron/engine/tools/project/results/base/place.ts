export interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** Lines of a stack that lie in a dependency or the runtime. */
const foreign =
  /node_modules|node:internal|\(node:|at node:|site-packages|dist-packages|\/lib\/python|\/rustc\/|\/gems\/|\/vendor\/|<frozen |\/usr\/(?:lib|local\/go)\//;
const maxLines = 200;
const maxLineLength = 1_000;

/** Made at the first line: reading classes of Unicode takes a start a third of a millisecond. */
let forms: readonly RegExp[] | undefined;
const formsOf = (): readonly RegExp[] => [
  // A frame in brackets: its path may hold blanks and brackets itself.
  /^\s*at .*?\((?:app\/\/)?((?:file:\/\/)?(?:[A-Za-z]:)?[^:]+):(\d+)(?::\d+)?\)$/,
  /^\s*(?:at|❯) (?:async )?((?:file:\/\/)?(?:[A-Za-z]:)?[/.][^:]*):(\d+)(?::\d+)?$/,
  /File "([^"]+)", line (\d+)/,
  /((?:file:\/\/)?(?:(?<![\p{L}\p{N}])[A-Za-z]:)?[\p{L}\p{N}_@+./\\[\]~-]*\.[A-Za-z]\w{0,5}):(\d+)/u,
  / in (.+\.\w{2,5}):line (\d+)$/,
  /((?:[A-Za-z]:)?[\w./\\-]+\.[A-Za-z]\w{0,4})\((\d+)(?:,\d+)?\)/,
  /(?:^| )at (\S+) line (\d+)\.?/,
];

/** The first place in a text that is not inside a dependency or the runtime: `file:12`, `file:12:3`, `file.py", line 12`. */
export function placeIn(text: string): Place | undefined {
  forms ??= formsOf();
  for (const line of text.split('\n', maxLines)) {
    if (line.length > maxLineLength || foreign.test(line)) continue;
    for (const form of forms) {
      const found = form.exec(line);
      if (found) return { file: found[1], line: Number(found[2]) };
    }
  }
  return undefined;
}
