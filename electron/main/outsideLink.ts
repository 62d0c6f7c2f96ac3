/** Who opens an address outside of the window, and who asks before. */
export interface OutsideParts {
  /** Shows the whole address; true when the person says yes. */
  ask(address: string): Promise<boolean>;
  open(address: string): Promise<void>;
}

const allowed: readonly string[] = ['http:', 'https:', 'mailto:'];

/** Only web and mail addresses, and only after the person has seen the whole address (S2). */
export async function openOutside(url: string, { ask, open }: OutsideParts): Promise<void> {
  const parsed = URL.parse(url);
  if (!parsed || !allowed.includes(parsed.protocol)) return;
  if (await ask(parsed.href)) await open(parsed.href);
}
