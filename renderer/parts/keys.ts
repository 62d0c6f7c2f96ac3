/** What a key press tells, so that tests need no browser. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly isComposing?: boolean;
  readonly keyCode?: number;
}

/**
 * An input method owns the key: it composes now, or this is the key that ended it. Safari ends the composition before
 * the Enter that confirmed it arrives; code 229 still marks that key.
 */
export function isComposing({ isComposing: composing, keyCode }: KeyPress): boolean {
  return composing === true || keyCode === 229;
}

/** Whether a press is the shortcut: parts joined by `+`, `mod` being ⌘ on a Mac and Ctrl elsewhere. */
export function matchesKeys(keys: string, press: KeyPress, mac: boolean): boolean {
  if (isComposing(press)) return false;
  const parts = keys.split('+');
  const wanted = parts.at(-1) ?? '';
  const mod = parts.includes('mod');
  const matches =
    press.metaKey === (mod && mac) &&
    press.ctrlKey === (mod && !mac) &&
    press.altKey === parts.includes('alt') &&
    press.shiftKey === parts.includes('shift');
  return matches && isKey(wanted, press);
}

function isKey(wanted: string, { key, code }: KeyPress): boolean {
  // A letter is the one that the layout writes there (Dvorak, AZERTY). By its place it is known only where the key writes no
  // Latin letter: Cyrillic or kana, or what ⌥ makes of it on a Mac.
  if (/^[a-z]$/.test(wanted))
    return /^[a-z]$/i.test(key) ? key.toLowerCase() === wanted : code === `Key${wanted.toUpperCase()}`;
  if (/^\d$/.test(wanted)) return key === wanted || code === `Digit${wanted}`;
  if (wanted === 'backquote') return key === '`' || code === 'Backquote';
  return key.toLowerCase() === wanted;
}

/** The shortcut that a press would be; undefined for a modifier alone, and for what is typed or moves the focus. */
export function keysOfPress(press: KeyPress, mac: boolean): string | undefined {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = press;
  if (isComposing(press) || (mac ? ctrlKey : metaKey)) return undefined;
  const mod = mac ? metaKey : ctrlKey;
  const isFunction = /^F\d{1,2}$/.test(key);
  if (!(mod || altKey || isFunction)) return undefined;
  const placed = /^(?:Key([A-Z])|Digit(\d))$/.exec(code);
  const name =
    key === '`' || code === 'Backquote'
      ? 'backquote'
      : /^[a-z\d]$/i.test(key)
        ? key.toLowerCase()
        : (placed?.[1]?.toLowerCase() ?? placed?.[2] ?? key.toLowerCase());
  const isOwn =
    isFunction || name === 'backquote' || name.startsWith('arrow') || (name.length === 1 && !/[+\s]/.test(name));
  if (!isOwn) return undefined;
  return [...(mod ? ['mod'] : []), ...(altKey ? ['alt'] : []), ...(shiftKey ? ['shift'] : []), name].join('+');
}

const isBareAlt = (keys: string): boolean => /^alt\+(?:shift\+)?[a-z\d]$/.test(keys);

/** Whether a press writes a character on a Mac, where ⌥ and a letter or digit do (ż, @, ¡): in a field it is text, never a command. */
export function isText(keys: string, mac: boolean, inField: boolean): boolean {
  return mac && inField && isBareAlt(keys);
}

/**
 * The shortcut as it reaches the window out of a shell: readline and editors want Ctrl and Alt with a letter or digit for
 * themselves, so Shift is added. On a Mac ⌘ is no key of theirs.
 */
export function keysInShell(keys: string, mac: boolean): string {
  if (mac || !/^(?:mod|alt)\+[a-z\d]$/.test(keys)) return keys;
  return keys.replace('+', '+shift+');
}

const macNames: Readonly<Record<string, string>> = { mod: '⌘', alt: '⌥', shift: '⇧', enter: '⏎', backquote: '`' };
const otherNames: Readonly<Record<string, string>> = {
  mod: 'Ctrl',
  alt: 'Alt',
  shift: 'Shift',
  enter: 'Enter',
  backquote: '`',
};

/** The shortcut as people read it: `⌘K` or `Ctrl+K`. */
export function keysText(keys: string, mac: boolean): string {
  const names = mac ? macNames : otherNames;
  return keys
    .split('+')
    .map((part) => names[part] ?? part.toUpperCase())
    .join(mac ? '' : '+');
}

export const isMac = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.platform);
