/**
 * A reply that begins and ends with fence marks and has at least three lines: the lines between; else undefined. It is
 * not asked whether that is one fence or two with words between them: the strict form takes both for one.
 */
export function betweenFences(text: string): string | undefined {
  if (!text.startsWith('```') || !text.endsWith('```')) return undefined;
  const lines = text.split(/\r\n|\n|\r/);
  return lines.length < 3 ? undefined : lines.slice(1, -1).join('\n').trim();
}

/** A whole reply in exactly one code fence of at least three lines: the lines between; else undefined. */
export function insideFence(text: string): string | undefined {
  if (!text.startsWith('```') || !text.endsWith('```')) return undefined;
  const lines = text.split('\n');
  if (lines.length < 3 || lines.at(-1)?.trim() !== '```') return undefined;
  const inner = lines.slice(1, -1);
  // A closing line in between means two fences with prose around: not one.
  if (inner.some((line) => /^\s*```+\s*$/.test(line))) return undefined;
  return inner.join('\n').trim();
}

export interface Thought {
  readonly reasoning?: string;
  readonly rest: string;
  readonly repairs: readonly string[];
}

/**
 * Takes `<think>…</think>` from the start of a reply. A block that is never closed is reasoning to its end: a call in
 * it was thought about, not made. `tolerant` also knows `<thinking>` and a block whose opening tag the server swallowed.
 */
export function takeThought(text: string, tolerant: boolean): Thought {
  const thoughts: string[] = [];
  let rest = text;
  const opening = tolerant ? anyOpening : /^\s*<(think)>/i;
  for (let open = opening.exec(rest); open; open = opening.exec(rest)) {
    const from = open[0].length;
    const close = (open[1] === undefined ? closingOf(open[0].trim()) : new RegExp(`</${open[1]}>`, 'i')).exec(
      rest.slice(from),
    );
    thoughts.push((close ? rest.slice(from, from + close.index) : rest.slice(from)).trim());
    rest = close ? rest.slice(from + close.index + close[0].length) : '';
  }
  if (thoughts.length > 0) return { reasoning: thoughts.join('\n\n'), rest: rest.trim(), repairs: [] };
  if (tolerant) {
    const close = unopened.exec(text);
    const before = close ? text.slice(0, close.index) : '';
    // Not when it is only mentioned: quoted, in code, or inside a call that is still open there.
    if (close && !/^[[{]|["'`]$|```|<think/i.test(before) && !isInsideCall(before)) {
      const rest = text.slice(close.index + close[0].length).trim();
      return { reasoning: before.trim(), rest, repairs: ['think_unopened'] };
    }
  }
  return { rest: text, repairs: [] };
}

/** Tags of thoughts by their names, and the tokens that some families have for them. */
const anyOpening =
  /^\s*(?:<(think|thinking|seed:think|longcat_think)>|\[THINK\]|<\|START_THINKING\|>|<\|inner_prefix\|>|<\|channel>thought\b|<\|open\|>think<\|sep\|>)/i;
const unopened =
  /<\/(?:think(?:ing)?|seed:think|longcat_think)>|\[\/THINK\]|<\|END_THINKING\|>|<\|inner_suffix\|>|<\|close\|>think<\|sep\|>/i;

function closingOf(token: string): RegExp {
  if (token === '[THINK]') return /\[\/THINK\]/;
  if (token.startsWith('<|START')) return /<\|END_THINKING\|>/;
  if (token.startsWith('<|inner')) return /<\|inner_suffix\|>/;
  return token.startsWith('<|channel') ? /<channel\|>/ : /<\|close\|>think<\|sep\|>/;
}

function isInsideCall(before: string): boolean {
  const text = before.toLowerCase();
  return ['tool_call>', 'function'].some((tag) => text.lastIndexOf(`<${tag}`) > text.lastIndexOf(`</${tag}`));
}
