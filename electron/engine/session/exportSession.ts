import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { clipResult } from './clipResult.ts';

/** The whole state as JSON. Keys are never part of it: they never enter the journal. */
export function exportJson(state: SessionState): string {
  return JSON.stringify({ ...state, items: [...itemsOf(state.items)] }, undefined, 2);
}

/** The conversation for people: messages as they are, calls as one line with their result folded away. */
export function exportMarkdown(state: SessionState): string {
  const parts = [
    `# ${state.title || state.id}`,
    `Project: ${state.project}  \nModel: ${state.provider}/${state.model}  \nCreated: ${state.createdAt}`,
  ];
  for (const item of itemsOf(state.items)) {
    switch (item.kind) {
      case 'user':
        parts.push(`## You\n\n${item.text}`);
        break;
      case 'assistant':
        if (item.text) parts.push(`## Agent\n\n${item.text}`);
        break;
      case 'call': {
        const { call } = item;
        const result = call.result ? clipResult(call.result, 4000) : '(no result)';
        parts.push(
          `<details><summary>${call.tool}: ${escapeHtml(call.intent?.summary ?? '')}</summary>\n\n${fenced(result)}\n\n</details>`,
        );
        break;
      }
      case 'phase':
        parts.push(`*${item.from} → ${item.to}: ${item.cause}*`);
        break;
      case 'notice':
        parts.push(`> ${item.text}`);
        break;
      case 'end':
        parts.push(`---\n\n*Turn ended: ${item.outcome}*`);
        break;
      case 'system':
        break;
    }
  }
  return `${parts.join('\n\n')}\n`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A fence longer than any in the text, so that nothing inside can end it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
