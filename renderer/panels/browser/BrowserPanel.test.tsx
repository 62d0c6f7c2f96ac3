import { expect, test } from 'vitest';
import { buttonsOf, markupOf, textOf } from '../../testing/markup.tsx';
import { BrowserPanel, Pages } from './BrowserPanel.tsx';

const tabs = [
  { id: 1, url: 'http://127.0.0.1:5173/', title: 'Slugs', active: true },
  { id: 2, url: 'file:///p/report.html\u202e', title: '', active: false },
];
const picture = {
  content: 'a'.repeat(64),
  mediaType: 'image/png',
  at: new Date(Date.now() - 190_000).toISOString(),
  tab: 1,
  width: 1280,
  height: 800,
};

test('before the first page it says what to do, and offers it', () => {
  const markup = markupOf(<BrowserPanel />);
  expect(textOf(markup)).toContain('No page yet The pages that the agent opens show here');
});

test('the last picture is shown with its age and size, the tabs by their names, the address in full', () => {
  const markup = markupOf(<Pages facts={{ tabs, picture }} />);
  expect(textOf(markup)).toBe(
    'Slugs file:///p/report.html\u202e http://127.0.0.1:5173/ taken 3 m ago 1280 × 800 Slugs',
  );
  expect(markup).toContain('aria-label="Picture of Slugs"');
  expect(buttonsOf(markup)).toEqual(['Slugs', 'file:///p/report.html\u202e', 'Copy address', 'Open address']);
});

test('S2: an address that is not of the web is shown and not opened; what turns its direction is marked', () => {
  const markup = markupOf(
    <Pages facts={{ tabs: tabs.map((tab) => ({ ...tab, active: tab.id === 2 })), picture: null }} />,
  );
  expect(textOf(markup)).toContain('report.html ‹U+202E›');
  expect(buttonsOf(markup)).toContain('Open address (not now)');
  expect(textOf(markup)).toContain('No picture yet');
});
