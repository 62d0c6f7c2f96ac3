import { Copy, ExternalLink, Globe } from 'lucide-react';
import { useState } from 'react';
import type { BrowserFacts } from '../../../shared/model/sessionState.ts';
import { Button, IconButton } from '../../parts/Button.tsx';
import { ContentPicture } from '../../parts/ContentPicture.tsx';
import { copyText } from '../../parts/copyText.ts';
import { cx } from '../../parts/cx.ts';
import { Empty } from '../../parts/Empty.tsx';
import { useNow } from '../../parts/useNow.ts';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { openOverlay } from '../../view/overlay.ts';
import { suggest } from '../../view/show.ts';
import { useShown } from '../../view/shown.ts';
import { useSession } from '../../view/useSession.ts';
import { ageText } from '../../words/amounts.ts';
import { useWords } from '../../words/words.tsx';

/** What the agent sees of web pages: its tabs, the address, and the newest picture. To look at; the agent drives. */
export function BrowserPanel() {
  const facts = useSession(({ browser }) => browser);
  return facts.tabs.length === 0 && facts.picture === null ? <NoPage /> : <Pages facts={facts} />;
}

export function Pages({ facts: { tabs, picture } }: { readonly facts: BrowserFacts }) {
  const words = useWords();
  const [chosen, setChosen] = useState<number | null>(null);
  const tab = tabs.find(({ id }) => id === chosen) ?? tabs.find(({ active }) => active) ?? tabs[0];
  return (
    <section aria-label={words.browser.title} className="flex h-full min-h-0 flex-col">
      {tabs.length > 1 && (
        <ul className="flex shrink-0 flex-wrap gap-1 border-b border-line p-1.5">
          {tabs.map(({ id, title, url }) => (
            <li key={id} className="min-w-0">
              <button
                type="button"
                aria-current={id === tab?.id}
                title={url}
                onClick={() => setChosen(id)}
                className={cx(
                  'max-w-44 truncate rounded-md px-2 py-0.5 text-xs hover:bg-hover',
                  id === tab?.id ? 'bg-chosen text-ink' : 'text-soft',
                )}
              >
                {title || url || words.browser.tab(id)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {tab && (
        <div className="flex h-8.5 shrink-0 items-center gap-1 border-b border-line pr-1.5 pl-3">
          <Globe aria-hidden className="size-3.5 shrink-0 text-soft" />
          <span className="selectable min-w-0 flex-1 truncate px-1 font-mono text-xs" title={tab.url}>
            <VisibleText text={tab.url} />
          </span>
          <IconButton label={words.browser.copyAddress} onClick={() => void copyText(tab.url, words)}>
            <Copy />
          </IconButton>
          <IconButton
            label={words.talk.openLinkDo}
            disabled={!/^https?:/i.test(tab.url)}
            onClick={() => openOverlay({ kind: 'link', url: tab.url })}
          >
            <ExternalLink />
          </IconButton>
        </div>
      )}
      {picture === null ? (
        <div className="min-h-0 flex-1">
          <Empty icon={Globe} title={words.browser.noPicture}>
            {words.browser.noPictureMore}
          </Empty>
        </div>
      ) : (
        <Picture picture={picture} of={tabs.find(({ id }) => id === picture.tab)} />
      )}
    </section>
  );
}

function Picture({
  picture,
  of,
}: {
  readonly picture: NonNullable<BrowserFacts['picture']>;
  readonly of: BrowserFacts['tabs'][number] | undefined;
}) {
  const words = useWords();
  const now = useNow();
  const { at, width, height } = picture;
  const name = of ? of.title || of.url : words.browser.title;
  return (
    <figure className="flex min-h-0 flex-1 flex-col">
      <figcaption className="tabular flex shrink-0 flex-wrap gap-x-2 px-3 py-1.5 text-2xs text-soft">
        <span>{words.browser.taken(ageText(now - Date.parse(at), words))}</span>
        {width !== undefined && height !== undefined && (
          <span>
            {width} × {height}
          </span>
        )}
        {of && <span className="min-w-0 truncate">{of.title}</span>}
      </figcaption>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is scrolled by keys too
        tabIndex={0}
        role="group"
        aria-label={words.browser.picture(name)}
        className="min-h-0 flex-1 overflow-auto bg-inset p-3"
      >
        <ContentPicture picture={picture} alt={words.browser.picture(name)} />
      </div>
    </figure>
  );
}

/** What to do: with a server that listens, it is one click away. */
function NoPage() {
  const words = useWords();
  const hasProject = useShown(({ project }) => project !== null);
  const ports = useSession(({ tasks }) =>
    Object.values(tasks).flatMap(({ state, ports: open }) => (state === 'running' ? (open ?? []) : [])),
  );
  const addresses = ports.length > 0 ? ports.slice(0, 3).map((port) => `http://127.0.0.1:${port}/`) : [null];
  return (
    <Empty icon={Globe} title={words.browser.none}>
      <p>{words.browser.noneMore}</p>
      {hasProject && (
        <ul className="mt-2 flex flex-col items-center gap-1.5">
          {addresses.map((address) => (
            <li key={address}>
              <Button onClick={() => suggest(words.browser.ask(address ?? 'http://127.0.0.1:3000/'))}>
                {words.browser.askFor(address)}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Empty>
  );
}
