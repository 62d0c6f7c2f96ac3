import { join } from 'node:path';
import type { ToolResult } from '../../../../shared/result.ts';
import type { Tool } from '../../tools/frame/tool.ts';

/** The names that hooks written for Claude Code know our tools by; others keep their own. */
const knownNames: Readonly<Record<string, string>> = {
  run: 'Bash',
  cli_based_tool: 'Bash',
  start_background_task: 'Bash',
  read_file: 'Read',
  write_file: 'Write',
  edit_file: 'Edit',
  edit_range: 'Edit',
  insert_at: 'Edit',
  delete_range: 'Edit',
  apply_unified_diff: 'Edit',
  search_files: 'Glob',
  grep_search: 'Grep',
  list_directory: 'LS',
  update_todos: 'TodoWrite',
  subagent: 'Task',
  use_skill: 'Skill',
  ask_user: 'AskUserQuestion',
};

/** What a hook may call a tool: the name that it knows it by first, our own last. */
export function hookNames({ name, source }: Pick<Tool, 'name' | 'source'>): readonly string[] {
  const known = knownNames[name];
  if (known !== undefined) return [known, name];
  const [, server] = /^mcp (\S+) \(/.exec(source) ?? [];
  const prefix = `mcp_${server ?? ''}_`;
  return server !== undefined && name.startsWith(prefix)
    ? [`mcp__${server}__${name.slice(prefix.length)}`, name]
    : [name];
}

/** Whether a matcher means one of these names: `Edit|Write` and the like are patterns for the whole name. */
export function isMatched(matcher: string, names: readonly string[]): boolean {
  if (matcher === '' || matcher === '*') return true;
  const pattern = new RegExp(`^(?:${matcher})$`);
  return names.some((name) => pattern.test(name));
}

/** A call as the text that a hook reads: with the names of its inputs, and `file_path` where it names a file. */
export function callFacts(project: string, tool: Pick<Tool, 'name' | 'source'>, call: string, input: unknown) {
  const given = typeof input === 'object' && input !== null ? { ...input } : {};
  const file = 'filePath' in given ? given.filePath : 'path' in given ? given.path : undefined;
  const [name = tool.name] = hookNames(tool);
  return {
    tool_name: name,
    vise_tool_name: tool.name,
    tool_input: typeof file === 'string' ? { ...given, file_path: join(project, file) } : given,
    tool_use_id: call,
  };
}

/** What a result is to a hook; a large one by its beginning. */
export function resultFacts(result: ToolResult): Readonly<Record<string, unknown>> {
  if (!result.success) return { error: result.error.message };
  const text = JSON.stringify(result.data) ?? 'null';
  return { tool_response: text.length <= maxResponseChars ? result.data : text.slice(0, maxResponseChars) };
}

const maxResponseChars = 200_000;
