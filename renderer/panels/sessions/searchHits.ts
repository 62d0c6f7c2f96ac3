export interface Hit {
  readonly session: string;
  readonly title: string;
  readonly excerpt: string;
}

export interface HitGroup {
  readonly session: string;
  readonly title: string;
  readonly places: readonly string[];
}

/** The hits of a search, one group a session, in the order the sessions first appear. */
export function groupHits(hits: readonly Hit[]): readonly HitGroup[] {
  return [...Map.groupBy(hits, ({ session }) => session)].map(([session, own]) => ({
    session,
    title: own[0]?.title ?? '',
    // A title found is seen in the title; the first message often says the same.
    places: [...new Set(own.map(({ excerpt }) => excerpt))].filter((excerpt) => excerpt !== own[0]?.title),
  }));
}

/** A text cut at every place where the query stands in it, in any case. */
export function partsAround(
  text: string,
  query: string,
): readonly { readonly text: string; readonly isHit: boolean }[] {
  const wanted = query.trim().toLowerCase();
  const lower = text.toLowerCase();
  // Lower case may be longer than the text (İ): then the places would not fit.
  if (wanted === '' || lower.length !== text.length) return [{ text, isHit: false }];
  const parts: { text: string; isHit: boolean }[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), isHit: false });
    from = at + wanted.length;
    parts.push({ text: text.slice(at, from), isHit: true });
  }
  if (from < text.length) parts.push({ text: text.slice(from), isHit: false });
  return parts;
}
