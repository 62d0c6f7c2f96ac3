import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { ModelMessage, ModelRequest, ToolSpec } from '../model/base/port.ts';
import type { RulesFile } from '../project/rulesFiles.ts';
import type { Toolset } from '../tools/frame/toolset.ts';
import { exposes } from './phases.ts';
import { systemPrompt } from './systemPrompt.ts';

/** Described in full until this many characters of schema; the rest is named and described on demand. */
const schemaBudget = 6_000;

export interface RequestParts {
  readonly history: (state: SessionState) => readonly ModelMessage[];
  readonly rulesFiles: (state: SessionState) => Promise<readonly RulesFile[]>;
  /** Tools that the model asked to have described. */
  readonly described: () => ReadonlySet<string>;
  /** Whom the next request asks, and with which effort; undefined: what the provider takes as usual. */
  readonly model: () => string;
  readonly effort: () => string | undefined;
  /** What the loaded specs say their programs are for. */
  readonly programs?: () => string;
  /** Skills that the agent may look up, a line each; empty where there are none. */
  readonly skills?: () => Promise<readonly string[]>;
}

/**
 * What the model is asked: the standing words, the tools of the phase, the conversation. The list of tools stays the same
 * object while it has the same members, because its JSON is kept by identity.
 */
export function createRequestBuilder(
  parts: RequestParts,
): (state: SessionState, toolset: Toolset) => Promise<ModelRequest> {
  const specs = new WeakMap<Toolset['tools'][number], { readonly spec: ToolSpec; readonly chars: number }>();
  let lastTools: readonly ToolSpec[] = [];

  const specOf = (tool: Toolset['tools'][number]): { readonly spec: ToolSpec; readonly chars: number } => {
    const known = specs.get(tool);
    if (known) return known;
    const spec = { name: tool.name, description: tool.about, parameters: tool.inputSchema() };
    const made = { spec, chars: JSON.stringify(spec).length };
    specs.set(tool, made);
    return made;
  };

  return async (state, toolset) => {
    const closing = state.mode === 'phased' && state.facts.phase === 'DONE';
    const skills = closing ? [] : ((await parts.skills?.()) ?? []);
    const isOffered = (tool: Toolset['tools'][number]): boolean =>
      exposes(state.mode, state.facts.phase, tool) && (tool.category !== 'skill' || skills.length > 0);
    const exposed = closing ? [] : toolset.tools.filter(isOffered);
    const wanted = parts.described();
    const shown: ToolSpec[] = [];
    const more: string[] = [];
    let used = 0;
    for (const tool of exposed) {
      const isAsked = wanted.has(tool.name);
      const isStanding =
        tool.category === 'phase' ||
        tool.category === 'skill' ||
        tool.name === 'describe_tools' ||
        isCheck(state, tool.name);
      if (isAsked || isStanding) {
        shown.push(specOf(tool).spec);
        continue;
      }
      // Schemas of tools that are only named are never made: they are most of the work of a first request.
      const known = used < schemaBudget ? specOf(tool) : undefined;
      if (known && used + known.chars <= schemaBudget) {
        shown.push(known.spec);
        used += known.chars;
      } else {
        used = schemaBudget; // the order is by need: a small tool at the end must not stand before a large one
        more.push(tool.name);
      }
    }
    const programs = exposed.some(({ category }) => category === 'spec') ? (parts.programs?.() ?? '') : '';
    const isSame = shown.length === lastTools.length && shown.every((spec, index) => spec === lastTools[index]);
    if (!isSame) lastTools = shown;
    return {
      system: systemPrompt({ state, rules: await parts.rulesFiles(state), moreTools: more, programs, skills }),
      messages: parts.history(state),
      tools: lastTools,
      model: parts.model(),
      cacheKey: state.id,
      effort: parts.effort(),
    };
  };
}

/** What the work of a phase is done with is described in it, wherever it stands in the list. */
function isCheck({ mode, facts }: SessionState, tool: string): boolean {
  return mode === 'phased' && facts.phase === 'VERIFYING' && tool === 'run_tests';
}
