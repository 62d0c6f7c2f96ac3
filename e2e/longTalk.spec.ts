import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, WebSocketRoute } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { until } from './harness/until.ts';

// A session of some megabytes: a window gets its newest part first, and the older ones one by one.

const session = '20260101-000000-00000000';
const turns = 400;
const words = 'words of a reply '.repeat(250);

/** The journal of a session in which each of many messages got a long reply. */
function writeSession(home: string, project: string): void {
  const folder = join(home, 'vise', 'state', 'sessions', session);
  mkdirSync(folder, { recursive: true });
  const events: object[] = [
    { type: 'session.started', id: session, project, title: 'Long talk', mode: 'direct', provider: 'x', model: 'm' },
  ];
  for (let n = 1; n <= turns; n += 1) {
    const turn = `t${n}`;
    const text = `Reply ${n}. ${words}`;
    events.push({ type: 'turn.started', turn, text: `Message ${n}.` });
    events.push({ type: 'message', turn, role: 'assistant', text });
    events.push({ type: 'turn.finished', turn, outcome: 'answered', text });
  }
  const at = '2026-01-01T00:00:00.000Z';
  const lines = events.map((event, index) => JSON.stringify({ seq: index + 1, at, session, event }));
  writeFileSync(join(folder, 'journal.jsonl'), `{"journal":1}\n${lines.join('\n')}\n`);
}

/** Where the replies stand that are in sight, in whole pixels below the conversation's upper edge. */
const repliesIn = (talk: Locator): Promise<Readonly<Record<string, number>>> =>
  talk.evaluate(async (log) => {
    await new Promise(requestAnimationFrame);
    const { top, bottom } = log.getBoundingClientRect();
    const seen: Record<string, number> = {};
    for (const row of log.querySelectorAll('[data-index]')) {
      const name = /Reply \d+\./.exec(row.textContent)?.[0];
      const box = row.getBoundingClientRect();
      if (name !== undefined && box.bottom > top && box.top < bottom) seen[name] = Math.round(box.top - top);
    }
    return seen;
  });

/** The same once nothing moves any more. */
async function restingReplies(talk: Locator): Promise<Readonly<Record<string, number>>> {
  let last = '';
  let same = 0;
  return until('the conversation to rest', async () => {
    const now = await repliesIn(talk);
    const text = JSON.stringify(now);
    same = text === last ? same + 1 : 0;
    last = text;
    return same >= 8 && now;
  });
}

test('older parts of a long session that arrive above leave what is being read where it is', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  test.setTimeout(300_000);
  const project = makeProject({});
  writeSession(home, project);
  // The window's questions for older parts wait here until they may go on.
  const held: (() => void)[] = [];
  let isHeld = true;
  let hasAll = false;
  await page.routeWebSocket(/\/ws$/, (socket: WebSocketRoute) => {
    const server = socket.connectToServer();
    server.onMessage((frame) => {
      hasAll ||= String(frame).includes('"value":{"from":0,');
      socket.send(frame);
    });
    socket.onMessage((frame) => {
      if (isHeld && String(frame).includes('"session.items"')) held.push(() => server.send(frame));
      else server.send(frame);
    });
  });
  const { url } = await serve({ project });
  await page.goto(url);
  await page.getByRole('button', { name: /^Long talk/ }).click();
  const talk = page.getByRole('log', { name: 'Conversation' });
  await expect(talk.getByText(`Reply ${turns}.`)).toBeVisible();
  await until('a question for an older part', () => held.length > 0);

  // The person goes up to where the newest part begins, and reads.
  await talk.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => talk.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  await expect(page.getByRole('button', { name: 'Jump to the newest' })).toBeVisible();
  const before = await restingReplies(talk);
  const [read = '', place = 0] = Object.entries(before)[0] ?? [];
  expect(read).not.toBe('');

  isHeld = false;
  for (const send of held.splice(0)) send();
  await until('all parts', () => hasAll);
  await expect.poll(() => talk.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(10_000);
  const after = await restingReplies(talk);
  expect(Math.abs((after[read] ?? Number.POSITIVE_INFINITY) - place)).toBeLessThanOrEqual(2);
  // And what has come is there.
  await page.keyboard.press('Home');
  await expect(talk.getByText('Reply 1.')).toBeInViewport();
});
