import type { Locator, Page } from '@playwright/test';
import type { Client } from '../../shared/contract/client.ts';
import { connect } from './connect.ts';
import { expect } from './test.ts';

export const composerOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });
export const reviewOf = (page: Page): Locator => page.getByRole('tabpanel', { name: /^Review/ });
export const applyButton = (page: Page): Locator => reviewOf(page).getByRole('button', { name: /^Apply \d/ });
export const changeSetCard = (page: Page): Locator =>
  page.getByRole('log').getByRole('region', { name: 'Approval: 2 edits in 2 files, as one change set' });
export const commandCard = (page: Page): Locator =>
  page.getByRole('log').getByRole('region', { name: /^Approval: Run npm test/ });

/**
 * Presses a button that answers a question until the question is gone: a click in the first half second after the card
 * appears, moves or is drawn anew does not count, and a person then clicks again.
 */
export async function pressUntilGone(button: Locator, question: Locator): Promise<void> {
  await expect(button).toBeVisible();
  await expect(async () => {
    if (await question.isVisible()) await button.click({ timeout: 2_000 });
    await expect(question).toBeHidden({ timeout: 2_000 });
  }).toPass({ timeout: 120_000 });
}

/** Sees the end of the sample's last reply; whoever looks elsewhere goes to the newest. Its tests keep a machine busy. */
export async function seeLastReply(page: Page): Promise<void> {
  const newest = page.getByRole('button', { name: 'Jump to the newest' });
  await expect(async () => {
    if (await newest.isVisible()) await newest.click({ timeout: 2_000 });
    await expect(page.getByText('You can take the whole change back with').first()).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 180_000 });
}

/** Opens the sample project and lets the agent work until its edits wait. */
export async function startSample(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: /Try the sample project/ }).click();
  await expect(page.getByRole('tree', { name: 'Files' }).getByText('package.json')).toBeVisible();
  await composerOf(page).fill('Make the failing test pass');
  await composerOf(page).press('Enter');
  await expect(applyButton(page)).toContainText('Apply 7 hunks');
}

/** A session of the project in which nothing is asked, open in the window; the client is the caller's to close. */
export async function openFreeSession(
  page: Page,
  url: string,
  project: string,
): Promise<{ readonly client: Client; readonly session: string }> {
  const client = await connect(url);
  const made = await client.call('session.create', { project, mode: 'direct' });
  if (!made.ok) throw new Error(made.error.message);
  const { session } = made.value;
  await client.call('session.configure', { session, allow: 'dangerous' });
  await page.goto(url);
  await page.getByRole('button', { name: /^Untitled session/ }).click();
  return { client, session };
}
