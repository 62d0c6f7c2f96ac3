/** A here-document that was announced: its text begins on the next line. */
export interface HereDocument {
  readonly end: string;
  readonly stripTabs: boolean;
  /** Of the announcement, from `<<` to the end of the word. */
  readonly length: number;
}

const announcement = /<<(-?)[ \t]*(?:'([^']*)'|"([^"]*)"|\\?([^\s;&|<>()'"]+))/y;

/** The here-document announced at `at`, where `<<` stands; undefined when there is no word to end it. */
export function hereDocumentAt(command: string, at: number): HereDocument | undefined {
  announcement.lastIndex = at;
  const found = announcement.exec(command);
  if (found === null) return undefined;
  const [{ length }, dash, single, double, plain] = found;
  return { end: single ?? double ?? plain ?? '', stripTabs: dash === '-', length };
}

/** The texts of here-documents are data: a quote in them opens nothing. Returns the index after the last one. */
export function skipHereDocuments(command: string, start: number, documents: readonly HereDocument[]): number {
  let at = start;
  for (const { end, stripTabs } of documents) {
    while (at < command.length) {
      const lineEnd = command.indexOf('\n', at);
      const stop = lineEnd < 0 ? command.length : lineEnd;
      const line = command.slice(at, stop);
      at = stop + 1;
      if ((stripTabs ? line.replace(/^\t+/, '') : line) === end) break;
    }
  }
  return Math.min(at, command.length);
}
