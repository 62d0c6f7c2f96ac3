import { basename } from 'node:path';
import type { Page } from '@playwright/test';
import { configure, scripted } from './harness/configure.ts';
import { shoot } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { pressUntilGone } from './harness/window.ts';

/** Names, keys and words of code, which are the same in Chinese, and the commands of this test. */
const allowed = new Set(
  [
    'Vise Ctrl Shift Enter Alt Esc Tab English Shell shell Windows Docker Unix SSH ComSpec bash exec node version git Git',
    'scripted run vise config json sandbox network readable sockets tsx',
    // What follows a slash command.
    'name level ask direct phased program provider model effort mode register',
  ]
    .join(' ')
    .split(' '),
);
/** The specs that come along say in their files what they are. */
const ofSpecs = /^(?:Reading commands of git|jq: filters)/;

/** Words in Latin letters that stand in the page or are names of its parts, each with the text around it. */
async function latinWords(page: Page, project: string): Promise<readonly string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const around = node.parentElement;
      if (around?.closest('style, script, code, kbd, pre, .xterm, .monaco-editor') === null)
        found.push(node.nodeValue ?? '');
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      for (const element of document.querySelectorAll(`[${name}]`)) found.push(element.getAttribute(name) ?? '');
    return found;
  });
  // Paths, names of tools and files are no words.
  return [...new Set(texts)].filter(
    (text) =>
      !project.includes(text) &&
      !ofSpecs.test(text) &&
      (text.match(/(?<![\w./@-])[A-Za-z][a-z]{2,}(?![\w/@-]|\.\w)/g) ?? []).some((word) => !allowed.has(word)),
  );
}

test('a Chinese window shows no English words of its own', async ({ home, makeProject, page, serve }) => {
  test.slow();
  configure(home, { settings: { language: 'zh-CN', mode: 'direct' } });
  const project = makeProject({ 说明: '一\n二\n三\n' });
  const call = (tool: string, input: object) => ({ tool, input });
  const args = scripted(home, [
    { calls: [call('read_file', { filePath: '说明' }), call('list_directory', { path: '.' })] },
    { calls: [call('read_file', { filePath: '没有' })] },
    { calls: [call('write_file', { filePath: '说明', content: '壹\n二\n叁\n' })] },
    { text: '改好了。' },
    { calls: [call('run', { command: 'node --version' })] },
    { text: '好。' },
  ]);
  const found = new Map<string, string>();
  const look = async (place: string): Promise<void> => {
    for (const text of await latinWords(page, basename(project))) found.set(text, found.get(text) ?? place);
  };
  const close = () => page.keyboard.press('Escape');
  await page.goto((await serve()).url);
  await expect(page.getByRole('button', { name: /示例项目/ })).toBeVisible();
  await look('welcome');
  await page.goto((await serve({ project, args })).url);
  await expect(page.getByRole('tree', { name: '文件' }).getByText('说明')).toBeVisible();
  await look('a project');

  const composer = page.getByRole('textbox', { name: '消息' });
  await composer.fill('改一下');
  await composer.press('Enter');
  const review = page.getByRole('tabpanel', { name: /^审阅/ });
  const apply = review.getByRole('button', { name: /^应用/ });
  await expect(apply).toBeVisible();
  const talk = page.getByRole('log');
  await expect(talk.getByText('没有 不存在')).toBeVisible();
  await look('a review that waits');
  await shoot(page, 'chinese-review');
  await page.keyboard.press('Alt+i');
  await expect(page.getByRole('dialog', { name: '收件箱' })).toBeVisible();
  await look('inbox');
  await close();
  await pressUntilGone(apply, apply);
  await expect(talk.getByText('改好了。')).toBeVisible();
  await look('what was written');

  // What the model is told of a take-back is told the person in Chinese.
  await review.getByRole('button', { name: /^收回: 第 1 块/ }).click();
  await expect(talk.getByText('已收回模型在 说明 中写入的部分行；它编辑前会重新读取。')).toBeVisible();
  await look('taken back');

  await composer.fill('版本？');
  await composer.press('Enter');
  const card = talk.getByRole('region', { name: /运行 node/ });
  await expect(card).toBeVisible();
  await look('a command that waits');
  for (const step of ['始终…', '拒绝…']) {
    await expect(async () => {
      await card.getByRole('button', { name: step }).click({ timeout: 2_000 });
      await expect(card.getByRole('button', { name: step })).toBeHidden({ timeout: 2_000 });
    }).toPass();
    await look(step);
    await card.getByRole('button', { name: '返回' }).click();
    await expect(card.getByRole('button', { name: step })).toBeVisible();
  }
  await shoot(page, 'chinese-approval');
  await composer.fill('等一下');
  await composer.press('Enter');
  await expect(page.getByRole('list', { name: '1 条消息排队中' })).toBeVisible();
  await look('queue');
  const once = card.getByRole('button', { name: '仅此一次' });
  await pressUntilGone(once, card);
  await expect(talk.getByText('好。', { exact: true })).toBeVisible();
  await look('a command that ran');

  await talk.getByRole('button', { name: '回到这里…' }).first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: '回到这一点？' })).toBeVisible();
  await look('rewind');
  await close();
  for (const tab of ['文件', '计划', '浏览器']) {
    await page.getByRole('tab', { name: tab }).click();
    await look(tab);
  }
  await page.keyboard.press('Alt+t');
  await expect(page.getByRole('region', { name: '控制台' }).getByRole('textbox').first()).toBeFocused();
  await look('console');
  await composer.click();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: '命令' })).toBeVisible();
  await look('palette');
  await close();
  await page.keyboard.press('Control+/');
  await expect(page.getByRole('dialog', { name: '键盘快捷键' })).toBeVisible();
  await look('shortcuts');
  await close();
  await composer.fill('/');
  await expect(page.getByRole('listbox')).toBeVisible();
  await look('slash commands');
  await composer.fill('');
  await page.keyboard.press('Alt+i');
  await page.getByRole('dialog', { name: '收件箱' }).getByRole('button', { name: '已答复' }).click();
  await look('answered');
  await close();
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: '设置' });
  for (const tab of await settings.getByRole('tab').all()) {
    await tab.click();
    await expect(settings.getByRole('tabpanel').locator('.skeleton')).toHaveCount(0);
    await look(`settings ${await tab.textContent()}`);
  }
  expect([...found]).toEqual([]);
});
