/** A stretch of text as a careful reader must see it. */
export interface Stretch {
  /** `control`: invisible or moving the cursor; `bidi`: changes the reading direction; `space`: blank, but not a plain space. */
  readonly kind: 'plain' | 'control' | 'bidi' | 'space';
  readonly text: string;
}

const picture = (code: number): string => {
  if (code === 0x7f) return '␡';
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
};

const names =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US';
const controlNames = names.split(' ');

/** The name behind a control picture, for the many fonts that have none of these pictures. */
export function controlName(shown: string): string | undefined {
  const code = shown.codePointAt(0) ?? 0;
  return code === 0x2421 ? 'DEL' : controlNames[code - 0x2400];
}

/**
 * Anything that a terminal or a browser would not draw as itself: C0 without line feed, C1, marks of direction (Unicode
 * TR9), invisible formats and fillers, tags (which can carry a hidden text), odd spaces, lone surrogates.
 */
const hidden =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /([\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c])|([\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200d\u2028\u2029\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\ud800-\udfff]|[\u{e0000}-\u{e0fff}])|([\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000])| {9,}/gu;

/** Splits a text so that nothing in it stays unseen (C5). Long runs of spaces become dots: nothing is padded out of sight. */
export function visibleText(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > from) stretches.push({ kind: 'plain', text: text.slice(from, match.index) });
    from = match.index + match[0].length;
    const code = match[0].codePointAt(0) ?? 0;
    if (match[1]) stretches.push({ kind: 'bidi', text: picture(code) });
    else if (match[2]) stretches.push({ kind: 'control', text: picture(code) });
    else if (match[3]) stretches.push({ kind: 'space', text: picture(code) });
    else stretches.push({ kind: 'space', text: '·'.repeat(match[0].length) });
  }
  if (from < text.length) stretches.push({ kind: 'plain', text: text.slice(from) });
  return stretches;
}

const escapes =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g;

/** Output as words: without escape sequences (C8), with `\r` overwriting as a terminal would show it. */
export function plainOutput(text: string): string {
  return text
    .replace(escapes, '')
    .replace(/\r+\n/g, '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '');
}
