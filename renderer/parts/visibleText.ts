/** A stretch of text as a careful reader must see it. */
export interface Stretch {
  /** `control`: invisible or moving the cursor; `bidi`: changes the reading direction; `space`: blank, but not a plain space. */
  readonly kind: 'plain' | 'control' | 'bidi' | 'space';
  readonly text: string;
}

type Range = readonly [from: number, to: number];

/** Marks and overrides of direction (Unicode TR9). */
const bidi: readonly Range[] = [
  [0x061c, 0x061c],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
];

/** What a terminal or a browser does not draw as itself: C0 without line feed, C1, invisible formats and fillers, variation selectors, tags (which can carry a hidden text), lone surrogates. */
const controls: readonly Range[] = [
  [0x00, 0x09],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200d],
  [0x2028, 0x2029],
  [0x2060, 0x2065],
  [0x206a, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xe0000, 0xe0fff],
];

/** Blanks that look like a plain space and are none. */
const spaces: readonly Range[] = [
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];

/** From this many on, spaces in a row could push words out of sight. */
const longRun = 9;

function kindOf(code: number): Stretch['kind'] {
  // Nearly all text is printable ASCII.
  if (code >= 0x20 && code < 0x7f) return 'plain';
  const isIn = (ranges: readonly Range[]): boolean => ranges.some(([from, to]) => code >= from && code <= to);
  if (isIn(bidi)) return 'bidi';
  if (isIn(controls)) return 'control';
  return isIn(spaces) ? 'space' : 'plain';
}

function picture(code: number): string {
  if (code === 0x7f) return '␡';
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}

/** Splits a text so that nothing in it stays unseen (C5). Long runs of spaces become dots: nothing is padded out of sight. */
export function visibleText(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let plain = '';
  const show = (kind: Stretch['kind'], shown: string): void => {
    if (plain !== '') stretches.push({ kind: 'plain', text: plain });
    plain = '';
    stretches.push({ kind, text: shown });
  };
  for (const part of text.split(/( {9,})/)) {
    if (part.length >= longRun && part.trim() === '' && part[0] === ' ') {
      show('space', '·'.repeat(part.length));
      continue;
    }
    for (const character of part) {
      const code = character.codePointAt(0) ?? 0;
      const kind = kindOf(code);
      if (kind === 'plain') plain += character;
      else show(kind, picture(code));
    }
  }
  if (plain !== '') stretches.push({ kind: 'plain', text: plain });
  return stretches;
}

const controlNames =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

/** The name behind a control picture, for the many fonts that have none of these pictures. */
export function controlName(shown: string): string | undefined {
  const code = shown.codePointAt(0) ?? 0;
  return code === 0x2421 ? 'DEL' : controlNames[code - 0x2400];
}

const escapes =
  /\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g;

/** Output as words: without escape sequences (C8), with `\r` overwriting as a terminal would show it. */
export function plainOutput(text: string): string {
  return text
    .replace(escapes, '')
    .replace(/\r+\n/g, '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '');
}
