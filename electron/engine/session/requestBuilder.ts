import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { ModelMessage, ModelRequest, ToolSpec } from '../model/port.ts';
import type { RulesFile } from '../project/rulesFiles.ts';
import type { Toolset } from '../tools/toolset.ts';
import { exposes } from './phases.ts';
import { systemPrompt } from './systemPrompt.ts';

/** Described in full until this many characters of schema; the rest is named and described on demand. */
const schemaBudget = 7000;

export interface RequestParts {
  readonly toolset: Toolset;
  readonly history: (state: SessionState) => readonly ModelMessage[];
  readonly rulesFiles: () => Promise<readonly RulesFile[]>;
  /** Tools that the model asked to have described. */
  readonly described: () => ReadonlySet<string>;
}

/**
 * What the model is asked: the standing words, the tools of the phase, the conversation. The list of tools stays the same
 * object while it has the same members, because its JSON is kept by identity.
 */
export function createRequestBuilder(parts: RequestParts): (state: SessionState) => Promise<ModelRequest> {
  const specs = new Map<string, { readonly spec: ToolSpec; readonly chars: number }>();
  let lastKey = '';
  let lastTools: readonly ToolSpec[] = [];

  const specOf = (tool: Toolset['tools'][number]): { readonly spec: ToolSpec; readonly chars: number } => {
    const known = specs.get(tool.name);
    if (known) return known;
    const spec = { name: tool.name, description: tool.about, parameters: tool.inputSchema() };
    const made = { spec, chars: JSON.stringify(spec).length };
    specs.set(tool.name, made);
    return made;
  };

  return async (state) => {
    const closing = state.mode === 'phased' && state.facts.phase === 'DONE';
    const exposed = closing ? [] : parts.toolset.tools.filter((tool) => exposes(state.mode, state.facts.phase, tool));
    const wanted = parts.described();
    const shown: ToolSpec[] = [];
    const more: string[] = [];
    let used = 0;
    for (const tool of exposed) {
      const { spec, chars } = specOf(tool);
      if (used + chars <= schemaBudget || wanted.has(tool.name) || tool.category === 'phase') {
        shown.push(spec);
        used += chars;
      } else more.push(tool.name);
    }
    const key = shown.map(({ name }) => name).join(' ');
    if (key !== lastKey) {
      lastKey = key;
      lastTools = shown;
    }
    return {
      system: systemPrompt({ state, rules: await parts.rulesFiles(), moreTools: more }),
      messages: parts.history(state),
      tools: lastTools,
      model: state.model,
    };
  };
}
