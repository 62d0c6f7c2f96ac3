import type { Call } from '../../shared/model/call.ts';
import type { Item, SessionState } from '../../shared/model/sessionState.ts';

/** What the session has seen of web pages, as the results of its calls tell it. */
export interface BrowserFacts {
  readonly tabs: readonly { readonly id: number; readonly url: string; readonly title: string }[];
  /** The tab that was acted on last. */
  readonly active: number | null;
  readonly picture: {
    readonly base64: string;
    readonly mediaType: string;
    readonly at: string;
    readonly tab: number | null;
    readonly width: number;
    readonly height: number;
  } | null;
}

const none: BrowserFacts = { tabs: [], active: null, picture: null };

/** Known for each chunk of the timeline, which never changes, only gets replaced: pictures are large. */
const made = new WeakMap<readonly Item[], { readonly from: BrowserFacts; readonly to: BrowserFacts }>();

/** By what results hold, never by the names of tools. */
export function browserFacts({ items }: Pick<SessionState, 'items'>): BrowserFacts {
  return items.reduce<BrowserFacts>((facts, chunk) => {
    const known = made.get(chunk);
    if (known?.from === facts) return known.to;
    const to = chunk.reduce((now, item) => (item.kind === 'call' ? after(now, item.call) : now), facts);
    made.set(chunk, { from: facts, to });
    return to;
  }, none);
}

function after(facts: BrowserFacts, { result, finishedAt = '' }: Call): BrowserFacts {
  if (!result?.success || typeof result.data !== 'object' || result.data === null) return facts;
  const data: Readonly<Record<string, unknown>> = { ...result.data };
  if (Array.isArray(data['tabs'])) return withTabs(facts, data['tabs']);
  const tab = numberOf(data['tabId']);
  if (tab === null) return facts;
  if (data['closed'] === true) {
    const tabs = facts.tabs.filter(({ id }) => id !== tab);
    return { ...facts, tabs, active: tabs.at(-1)?.id ?? null };
  }
  const before = facts.tabs.find(({ id }) => id === tab);
  const page = {
    id: tab,
    url: textOf(data['url']) ?? before?.url ?? '',
    title: textOf(data['title']) ?? before?.title ?? '',
  };
  const tabs =
    before === undefined
      ? [...facts.tabs, page]
      : before.url === page.url && before.title === page.title
        ? facts.tabs
        : facts.tabs.map((each) => (each.id === tab ? page : each));
  return { tabs, active: tab, picture: pictureIn(data, tab, finishedAt) ?? facts.picture };
}

function withTabs(facts: BrowserFacts, listed: readonly unknown[]): BrowserFacts {
  const rows = listed.flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { id, url, title, active }: Readonly<Record<string, unknown>> = { ...entry };
    const number = numberOf(id);
    const address = textOf(url);
    if (number === null || address === undefined) return [];
    return [{ id: number, url: address, title: textOf(title) ?? '', active: active === true }];
  });
  // A list of something else, or of nothing, says nothing of pages.
  if (rows.length === 0 || rows.length < listed.length) return facts;
  return {
    ...facts,
    tabs: rows.map(({ id, url, title }) => ({ id, url, title })),
    active: rows.find(({ active }) => active)?.id ?? facts.active,
  };
}

function pictureIn(data: Readonly<Record<string, unknown>>, tab: number, at: string): BrowserFacts['picture'] {
  const { imageData, mimeType, width, height } = data;
  if (typeof imageData !== 'string' || typeof mimeType !== 'string' || !/^image\/(?:png|jpeg|webp)$/.test(mimeType))
    return null;
  return {
    base64: imageData,
    mediaType: mimeType,
    at,
    tab,
    width: numberOf(width) ?? 0,
    height: numberOf(height) ?? 0,
  };
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
