import { Tooltip } from 'radix-ui';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createClient } from '../../shared/contract/client.ts';
import { ClientContext } from '../client/client.ts';
import { en } from '../words/en.ts';
import { WordsContext } from '../words/words.tsx';
import { createFakeHost } from './fakeHost.ts';
import { workbench } from './sceneParts.ts';

/** A component as it is first drawn, as HTML; stores are as they begin. For what needs a browser there is `e2e/`. */
export function markupOf(element: ReactElement): string {
  const client = createClient(createFakeHost(workbench).connect());
  return renderToStaticMarkup(
    <ClientContext value={client}>
      <WordsContext value={en}>
        <Tooltip.Provider>{element}</Tooltip.Provider>
      </WordsContext>
    </ClientContext>,
  );
}

/** The words of a piece of HTML, blank by blank. */
export function textOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The names of the buttons in their order, and whether each answers now. */
export function buttonsOf(markup: string): readonly string[] {
  return [...markup.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)].map(([, attributes = '', inside = '']) => {
    const label = /aria-label="([^"]*)"/.exec(attributes)?.[1];
    const isOff = /\sdisabled=|aria-disabled="true"/.test(attributes);
    return `${textOf(label ?? inside)}${isOff ? ' (not now)' : ''}`;
  });
}
