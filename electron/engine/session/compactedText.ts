import type { Item, SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { clipResult } from './clipResult.ts';

const clip = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit)} …` : text);

/** The person's messages up to a timeline index, word for word within 12,000 characters: the first and the newest ones. */
export function wordsOfPerson(state: SessionState, upTo: number): string {
  const said: string[] = [];
  let index = 0;
  for (const item of itemsOf(state.items)) {
    if (index >= upTo) break;
    if (item.kind === 'user' && item.text.trim() !== '') said.push(`- ${clip(item.text, 2_000)}`);
    index += 1;
  }
  const [first = '', ...rest] = said;
  const kept: string[] = [];
  let used = first.length;
  for (const text of rest.toReversed()) {
    used += text.length;
    if (used > 12_000) break;
    kept.unshift(text);
  }
  const gap = kept.length < rest.length ? [`- (${rest.length - kept.length} messages in between are left out)`] : [];
  return ['The person said:', first, ...gap, ...kept].join('\n');
}

/** An account without a model: what was called and how it went, and the beginnings of what was said. */
export function plainAccount(state: SessionState, from: number, upTo: number): string {
  const lines = [...linesOf(state, from, upTo, 300, 200)];
  const shown = lines.slice(-80);
  const gap = shown.length < lines.length ? [`(${lines.length - shown.length} earlier steps are left out)`] : [];
  return [...(state.compacted ? [clip(state.compacted.summary, 6_000)] : []), 'Steps so far:', ...gap, ...shown].join(
    '\n',
  );
}

/** The part that is to be summarised, newest steps first to be kept when it is longer than the budget in tokens. */
export function transcriptOf(
  state: SessionState,
  upTo: number,
  tokensOf: (text: string) => number,
  budget: number,
): string {
  const head = state.compacted ? `Summary of what came before:\n${state.compacted.summary}\n` : '';
  const kept: string[] = [];
  let used = tokensOf(head);
  for (const line of [...linesOf(state, state.compacted?.upTo ?? 0, upTo, 4_000, 2_000)].toReversed()) {
    used += tokensOf(line);
    if (used > budget) break;
    kept.unshift(line);
  }
  return `${head}${kept.join('\n')}`;
}

function* linesOf(
  state: SessionState,
  from: number,
  upTo: number,
  textChars: number,
  resultChars: number,
): Generator<string> {
  let index = from;
  for (const item of itemsOf(state.items, from)) {
    if (index >= upTo) return;
    index += 1;
    const line = lineOf(item, textChars, resultChars);
    if (line !== undefined) yield line;
  }
}

function lineOf(item: Item, textChars: number, resultChars: number): string | undefined {
  switch (item.kind) {
    case 'user':
      return `PERSON: ${clip(item.text, textChars)}`;
    case 'assistant':
      return item.text === '' ? undefined : `AGENT: ${clip(item.text, textChars)}`;
    case 'call': {
      const { call } = item;
      const what = call.intent?.summary ?? clip(JSON.stringify(call.input), 200);
      return `CALL ${call.tool} (${what}): ${call.result ? clipResult(call.result, resultChars) : 'no result'}`;
    }
    case 'phase':
      return `PHASE: ${item.from} -> ${item.to} (${item.cause})`;
    case 'system':
    case 'notice':
    case 'end':
      return undefined;
  }
}
