import type * as z from 'zod';
import type { Level } from '../../../../shared/model/level.ts';
import type { ToolResult } from '../../../../shared/result.ts';
import type { Disposable } from '../../base/disposer.ts';
import type { ModelImage } from '../../model/base/port.ts';
import type { JsonSchema } from '../../tools/frame/tool.ts';

/** A tool as an MCP client sees it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** What `data` of an answer is; absent where a foreign program answers. */
  readonly output?: (() => z.ZodType) | undefined;
  readonly annotations?: ToolAnnotations;
}

export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface CallAnswer {
  readonly result: ToolResult;
  readonly images?: readonly ModelImage[];
  /** Text blocks in place of the envelope: tools of CLI specs answer as their programs do. */
  readonly blocks?: readonly string[];
}

export type Consent = 'allow' | 'deny' | 'unavailable';

export interface CallOptions {
  readonly signal: AbortSignal;
  /** What the client calls itself. */
  readonly client: string;
  onProgress(text: string): void;
  /** Asks the person behind the client; `unavailable` when the client cannot ask. */
  ask(question: string): Promise<Consent>;
}

export interface OfferedResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface OfferedPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments?: readonly { readonly name: string; readonly description: string; readonly required?: boolean }[];
}

/** What the MCP server needs of the engine. */
export interface ServerPort {
  readonly version: string;
  instructions(): string;
  /** Those that are there now, also what another process has registered since. */
  listTools(): Promise<readonly OfferedTool[]>;
  /** Calls when the list of tools is another one. */
  onToolsChanged(listen: () => void): Disposable;
  callTool(name: string, input: unknown, options: CallOptions): Promise<CallAnswer>;
  /** Files of the project, logs of tasks, changes; one page is enough, so it is bounded by the port. */
  listResources(): Promise<readonly OfferedResource[]>;
  readResource(uri: string): Promise<{ readonly mimeType: string; readonly text: string } | undefined>;
  listPrompts(): readonly OfferedPrompt[];
  getPrompt(name: string, given: Readonly<Record<string, string>>): Promise<string | undefined>;
}

/** Their tools reach beyond the project; of the system's tools those that run commands do. */
const openCategories: ReadonlySet<string> = new Set(['browser', 'mcp', 'shell', 'spec']);

/** Hints for clients, from what Vise itself knows of a tool. Of a program with a spec it knows nothing: the protocol's defaults. */
export function annotationsOf(permission: Level, category: string): ToolAnnotations {
  if (category === 'spec') return { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
  return {
    readOnlyHint: permission === 'none',
    destructiveHint: permission === 'dangerous',
    openWorldHint: openCategories.has(category) || (category === 'system' && permission === 'dangerous'),
  };
}
