import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { ModelMessage, ModelRequest, ToolSpec } from '../model/base/port.ts';
import type { RulesFile } from '../project/rulesFiles.ts';
import type { Tool } from '../tools/frame/tool.ts';
import type { Toolset } from '../tools/frame/toolset.ts';
import { exposes } from './phases.ts';
import { phaseText, systemPrompt } from './systemPrompt.ts';

const workPhases = ['EXPLORING', 'PLANNING', 'PATCHING', 'VERIFYING'] as const;
/** Described in full until this many characters of schema; the rest is named and described on demand. */
const schemaChars = 6_000;
/** Less beside the reports of all phases. */
const schemaCharsApart = 5_200;
/** Tools that the person or the project has brought (specs, servers) are all described while they fit in as much again. */
const broughtBudget = 6_000;
/** So many names are told; the others are found by a search. */
const maxNamed = 80;

export interface RequestParts {
  readonly history: (state: SessionState) => readonly ModelMessage[];
  readonly rulesFiles: (state: SessionState) => Promise<readonly RulesFile[]>;
  /** Tools that the model asked to have described. */
  readonly described: () => ReadonlySet<string>;
  /** Whom the next request asks, and with which effort; undefined: what the provider takes as usual. */
  readonly model: () => string;
  readonly effort: () => string | undefined;
  /** What specs say the programs of these tools are for; empty where none of them comes of a spec. */
  readonly programs?: (names: ReadonlySet<string>) => string;
  /** Where the agent works, in one line. */
  readonly surroundings?: () => string;
  /** Skills that the agent may look up, a line each; empty where there are none. */
  readonly skills?: () => Promise<readonly string[]>;
  /** Whether the model's provider reads the beginning of a request from its cache while that stays the same. */
  readonly keepsBeginning?: () => boolean;
}

/**
 * What the model is asked: the standing words, the tools of the phase, the conversation. The list of tools stays the same
 * object while it has the same members, because its JSON is kept by identity. Where the provider keeps a beginning that stays
 * the same, a phase changes none of it: the tools of all phases are offered (the gate holds each to its own), and where the
 * work stands is told at the end.
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
    const isApart = state.mode === 'phased' && parts.keepsBeginning?.() === true;
    const closing = !isApart && state.mode === 'phased' && state.facts.phase === 'DONE';
    const skills = closing ? [] : ((await parts.skills?.()) ?? []);
    const isOffered = (tool: Toolset['tools'][number]): boolean =>
      (isApart ? workPhases : [state.facts.phase]).some((phase) => exposes(state.mode, phase, tool)) &&
      (tool.category !== 'skill' || skills.length > 0);
    const exposed = closing ? [] : toolset.tools.filter(isOffered);
    const schemaBudget = isApart ? schemaCharsApart : schemaChars;
    const wanted = parts.described();
    const brought = fitting(exposed.filter(isBrought), specOf);
    const shown: ToolSpec[] = [];
    const more: string[] = [];
    let used = 0;
    for (const tool of exposed) {
      const isAsked = wanted.has(tool.name);
      const isStanding =
        tool.category === 'phase' ||
        tool.category === 'skill' ||
        tool.name === 'describe_tools' ||
        isCheck(state, tool.name, isApart);
      if (isAsked || isStanding || brought.has(tool)) {
        shown.push(specOf(tool).spec);
        continue;
      }
      // Schemas of tools that are only named are never made: they are most of the work of a first request.
      const known = used < schemaBudget && !isBrought(tool) ? specOf(tool) : undefined;
      if (known && used + known.chars <= schemaBudget) {
        shown.push(known.spec);
        used += known.chars;
      } else if (isBrought(tool)) more.push(tool.name);
      else {
        used = schemaBudget; // the order is by need: a small tool at the end must not stand before a large one
        more.push(tool.name);
      }
    }
    // Of what comes with Vise and is only named, its names say enough.
    const isNoted = (tool: Tool): boolean =>
      tool.category === 'spec' && (isBrought(tool) || shown.some(({ name }) => name === tool.name));
    const programs = parts.programs?.(new Set(exposed.filter(isNoted).map(({ name }) => name))) ?? '';
    const isSame = shown.length === lastTools.length && shown.every((spec, index) => spec === lastTools[index]);
    if (!isSame) lastTools = shown;
    const history = parts.history(state);
    const phase = isApart ? phaseText(state) : '';
    return {
      system: systemPrompt({
        isPhaseApart: isApart,
        state,
        rules: await parts.rulesFiles(state),
        moreTools: named(more),
        programs,
        skills,
        surroundings: parts.surroundings?.(),
      }),
      messages:
        phase === ''
          ? history
          : [...history, { role: 'system', text: `(From Vise, where the work stands now) ${phase}`, isPassing: true }],
      tools: lastTools,
      model: parts.model(),
      cacheKey: state.id,
      effort: parts.effort(),
    };
  };
}

/** All of these tools where their descriptions fit together, else none. */
function fitting(tools: readonly Tool[], specOf: (tool: Tool) => { readonly chars: number }): ReadonlySet<Tool> {
  let left = broughtBudget;
  for (const tool of tools) {
    left -= specOf(tool).chars;
    if (left < 0) return new Set();
  }
  return new Set(tools);
}

/** Of a spec or a server that does not come with Vise. */
function isBrought({ category, source }: Tool): boolean {
  return category === 'mcp' || (category === 'spec' && !source.endsWith('(bundled)'));
}

function named(more: readonly string[]): readonly string[] {
  if (more.length <= maxNamed) return more;
  return [...more.slice(0, maxNamed), `and ${more.length - maxNamed} more, found by its query`];
}

/** What the work of a phase is done with is described in it, wherever it stands in the list. */
function isCheck({ mode, facts }: SessionState, tool: string, isApart: boolean): boolean {
  return mode === 'phased' && (isApart || facts.phase === 'VERIFYING') && tool === 'run_tests';
}
