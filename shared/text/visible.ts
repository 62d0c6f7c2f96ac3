/** What was made visible in a text, without repeats. */
export type VisibleFlag = 'control' | 'bidi' | 'invisible' | 'padding';

export interface VisibleText {
  /** The text with a mark in the place of every character that would hide or reorder something. */
  readonly text: string;
  readonly flags: readonly VisibleFlag[];
}

/** Long runs of blanks push what follows out of sight; no indentation that people write is that deep. */
const padding = /[ \t\u00a0\u2000-\u200a\u3000]{40,}(?=[^\s])|\n(?:[ \t]*\n){8,}/g;
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const hidden =
  /[\u00ad\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u2028\u2029\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/u;
const joiner = /\u034f|\u200c|\u200d/;

/**
 * The text as a person must see it before approving it (C5): control characters as `␛`-style signs, direction marks and
 * characters without width as `⟦U+202E⟧`, long runs of blanks as their number. Line ends and tabs stay. Only for showing:
 * what runs is the text itself.
 */
export function visible(text: string): VisibleText {
  const flags = new Set<VisibleFlag>();
  const spread = text.replace(padding, (run) => {
    flags.add('padding');
    return run.startsWith('\n') ? `\n⟦${run.split('\n').length - 2} empty lines⟧\n` : ` ⟦${run.length} blanks⟧ `;
  });
  let shown = '';
  let before = '';
  for (const char of spread) {
    const mark = markOf(char, before, flags);
    shown += mark ?? char;
    before = char;
  }
  return { text: shown, flags: [...flags] };
}

function markOf(char: string, before: string, flags: Set<VisibleFlag>): string | undefined {
  const code = char.codePointAt(0) ?? 0;
  if (code < 32 && char !== '\n' && char !== '\t') {
    flags.add('control');
    return String.fromCodePoint(0x24_00 + code);
  }
  if (code === 127) {
    flags.add('control');
    return '␡';
  }
  if (code > 127 && code < 160) {
    flags.add('control');
    return named(code);
  }
  if (bidi.test(char)) {
    flags.add('bidi');
    return named(code);
  }
  // Joiners belong to emoji and to several scripts; behind ASCII they only hide something.
  if (hidden.test(char) || (joiner.test(char) && (before === '' || before.charCodeAt(0) < 128))) {
    flags.add('invisible');
    return named(code);
  }
  if (code >= 0xd8_00 && code <= 0xdf_ff) {
    flags.add('control');
    return named(code);
  }
  return undefined;
}

function named(code: number): string {
  return `⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧`;
}
