import { expect, test } from 'vitest';
import { restoreView } from './view.ts';

const { project, session, right, showConsole, dialog } = restoreView(
  JSON.stringify({ project: '/p', session: 's', right: 'plan', showConsole: false, dialog: { kind: 'folder' }, x: 1 }),
);

test('a reload finds its project, session and layout again, and no dialog', () => {
  expect({ project, session, right, showConsole, dialog }).toEqual({
    project: '/p',
    session: 's',
    right: 'plan',
    showConsole: false,
    dialog: null,
  });
});

test.each(['{broken', 'null', '7', '{"showLeft":"no","right":9}'])('odd memories count as none: %s', (text) => {
  const restored = restoreView(text);
  expect({ right: restored.right, project: restored.project, showLeft: restored.showLeft }).toEqual({
    right: 'review',
    project: null,
    showLeft: true,
  });
});
