import type { ToolSpec } from '../base/port.ts';
import { type TagReading, valueOf } from './functionTags.ts';
import { bad, isPlainObject } from './reply.ts';

/** Where an element with the name of a tool begins; undefined where no tool is known. */
export function elementMarks(text: string, tools: readonly ToolSpec[]): string | undefined {
  if (!text.includes('</')) return undefined;
  const names = tools.map(({ name }) => name).filter((name) => /^[\w.-]+$/.test(name) && text.includes(`</${name}>`));
  return names.length === 0 ? undefined : String.raw`^[ \t]*<(?:${names.map(escaped).join('|')})>`;
}

/**
 * A call as Cline and Roo have it: an element with the name of a tool, its children with the names of the arguments.
 * Undefined for any other element, also for one whose children are no arguments of that tool.
 */
export function readElementCall(text: string, from: number, tools: readonly ToolSpec[]): TagReading | undefined {
  const open = /\s*<([\w.-]{1,200})>\s*/y;
  open.lastIndex = from;
  const found = open.exec(text);
  const tool = tools.find(({ name }) => name === found?.[1]);
  const properties = isPlainObject(tool?.parameters) ? tool.parameters['properties'] : undefined;
  if (!found || !tool || !isPlainObject(properties)) return undefined;
  const entries: [string, unknown][] = [];
  for (let at = from + found[0].length; ; ) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    if (text.startsWith(`</${tool.name}>`, at)) {
      const end = at + tool.name.length + 3;
      if (entries.length === 0 && Object.keys(properties).length > 0) return undefined;
      const call = { tool: tool.name, arguments: Object.fromEntries(entries) };
      return { reading: { ok: true, call, repairs: ['element'] }, end };
    }
    const key = /^<([\w.-]{1,200})>/.exec(text.slice(at, at + 210))?.[1] ?? '';
    if (!Object.hasOwn(properties, key)) return undefined;
    const start = at + key.length + 2;
    const end = text.indexOf(`</${key}>`, start);
    if (end === -1) return { reading: bad('unclosed_tool_call', `missing </${key}>`), end: text.length };
    entries.push([key, valueOf(text.slice(start, end), properties[key])]);
    at = end + key.length + 3;
  }
}

function escaped(name: string): string {
  return name.replace(/[.-]/g, '\\$&');
}
