import type * as z from 'zod';
import type { Approval } from '../../../shared/model/call.ts';
import type { AppliedFile } from '../../../shared/model/change.ts';
import type { EventOf, SessionEvent } from '../../../shared/model/event.ts';
import type { ToolResult } from '../../../shared/result.ts';
import { visible } from '../../../shared/text/visible.ts';
import { specBlocks } from '../bridge/cliSpec/specTool.ts';
import {
  annotationsOf,
  type CallAnswer,
  type OfferedPrompt,
  type OfferedResource,
  type ServerPort,
} from '../bridge/mcp/serverPort.ts';
import type { ModelImage } from '../model/base/port.ts';
import type { OpenedProject } from '../openProject/openedProject.ts';
import type { GateCall } from '../permission/gate.ts';
import { deniedPaths } from '../permission/rules/deniedPaths.ts';
import { readFileOutput } from '../tools/file/readFile.ts';
import type { Tool } from '../tools/frame/tool.ts';
import { listedTasks, taskOutput } from '../tools/shell/backgroundTasks.ts';
import { guardedLook } from '../workspace/guardedLook.ts';
import type { WorkbenchAsk } from './askWorkbench.ts';
import type { CallTool, SingleAnswer } from './singleCall.ts';

const maxFiles = 500;
const maxChanges = 200;
const maxPreview = 4_000;

/**
 * A project as an MCP server shows it. Each call takes the same way as any other; what must be asked goes to the inbox of
 * a workbench that runs, else to the person behind the client. Reading a resource is a call of a reading tool, so that what is protected stays so.
 */
export function createMcpPort(
  engine: { readonly callTool: CallTool },
  { path, look, bridge, rules }: Pick<OpenedProject, 'path' | 'look' | 'bridge' | 'rules'>,
  version: string,
  workbench?: WorkbenchAsk,
): ServerPort {
  const changes = new Map<string, EventOf<'change.applied'>>();
  /** What a tool answers, in the shape that it declares; nothing when it fails. */
  const read = async <T>(tool: string, output: z.ZodType<T>, input: object): Promise<T | undefined> => {
    const result = await engine.callTool(path, tool, input, new AbortController().signal);
    return result.success ? output.safeParse(result.data).data : undefined;
  };

  return {
    version,
    instructions: () =>
      `Vise works on the project ${path}. Each tool states its level; what its rules and --allow do not cover is asked or refused.\n\n${bridge.instructions}`.trim(),
    async listTools() {
      await bridge.lookAgain();
      return bridge.toolset.tools.filter(isOffered).map(offered);
    },
    onToolsChanged: (listen) => bridge.onChange(listen),
    async callTool(name, input, options) {
      const tool = bridge.toolset.find(name);
      const inputs = new Map<string, unknown>();
      const applied = new Map<string, readonly AppliedFile[]>();
      const onEvent = (event: SessionEvent): void => {
        if (event.type === 'tool.proposed') inputs.set(event.call, event.input);
        if (event.type === 'tool.output') options.onProgress(event.text);
        if (event.type === 'change.applied') {
          keep(changes, event);
          applied.set(event.call, event.files);
        }
        if (event.type === 'tool.finished')
          workbench?.finished(event.call, event.result, applied.get(event.call) ?? []);
      };
      const { signal, client, onProgress } = options;
      const ask = async (call: GateCall, approval: Approval): Promise<SingleAnswer> => {
        const given = await workbench?.ask(call, { client, signal, onProgress, input: inputs.get(call.id) });
        if (given !== undefined && given !== 'unavailable') return given;
        return call.intent.preview.kind === 'question' ? 'unavailable' : options.ask(question(call, approval));
      };
      const answersQuestions = workbench?.isRunning() === true;
      let images: readonly ModelImage[] = [];
      const onPictures = (brought: readonly ModelImage[]): void => {
        images = brought;
      };
      const result = await engine.callTool(path, name, input, signal, { onEvent, onPictures, ask, answersQuestions });
      return answerOf(result, images, tool);
    },
    async listResources() {
      const isDenied = deniedPaths(rules().rules, { tool: 'read_file', category: 'file' });
      const files = await listFiles(isDenied ? guardedLook(look, isDenied).look : look);
      const listed = await read('list_background_tasks', listedTasks(), { status: 'all' });
      return [
        ...files,
        ...(listed?.tasks ?? []).map(
          ({ task_id: id }): OfferedResource => ({
            uri: `vise://task/${id}/log`,
            name: `Log of ${id}`,
            mimeType: 'text/plain',
          }),
        ),
        ...[...changes].map(
          ([id, { files: changed }]): OfferedResource => ({
            uri: `vise://change/${id}`,
            name: `Change of ${changed.map((file) => file.path).join(', ')}`.slice(0, 200),
            mimeType: 'application/json',
          }),
        ),
      ];
    },
    async readResource(uri) {
      const [, kind, rest = ''] = /^vise:\/\/(file|task|change)\/(.+)$/.exec(uri) ?? [];
      const name = decoded(rest);
      if (name === undefined) return undefined;
      switch (kind) {
        case 'file':
          return plainText((await read('read_file', readFileOutput(), { filePath: name }))?.content);
        case 'task': {
          const task_id = name.replace(/\/log$/, '');
          const given = await read('get_background_output', taskOutput(), { task_id });
          return plainText(given && [given.stdout, given.stderr].filter((text) => text !== '').join('\n'));
        }
        case 'change': {
          const change = changes.get(name);
          if (change === undefined) return undefined;
          return {
            mimeType: 'application/json',
            text: JSON.stringify({ call: change.call, files: change.files }, null, 2),
          };
        }
        default:
          return undefined;
      }
    },
    listPrompts: () => prompts.map(({ text: _text, ...prompt }) => prompt),
    getPrompt: (name, given) => Promise.resolve(prompts.find((prompt) => prompt.name === name)?.text(given)),
  };
}

/** Reports steer Vise's own loop and mean nothing to a client. */
function isOffered({ category }: Tool): boolean {
  // Reports belong to the phases of a session, and only its agent starts subagents.
  return category !== 'phase' && category !== 'agent';
}

function offered(tool: Tool) {
  return {
    name: tool.name,
    description: tool.about,
    inputSchema: tool.inputSchema(),
    output: tool.output,
    annotations: annotationsOf(tool.permission, tool.category),
  };
}

function answerOf(result: ToolResult, images: readonly ModelImage[], tool: Tool | undefined): CallAnswer {
  const blocks =
    tool?.category === 'spec' ? specBlocks(result.success ? result.data : result.error.details) : undefined;
  return { result, images, blocks };
}

/** What a person must know to say yes: the tool, what it would do, and why it is asked. */
function question({ tool, level, intent }: GateCall, { reasons }: Approval): string {
  const { preview } = intent;
  const shown =
    preview.kind === 'command'
      ? `${preview.command}\n(in ${preview.cwd})`
      : preview.kind === 'changes'
        ? preview.changes
            .map((change) => `${change.status} ${change.path} (+${change.additions} -${change.deletions})`)
            .join('\n')
        : preview.kind === 'text'
          ? preview.text
          : '';
  const words = (text: string): string => visible(text.slice(0, maxPreview)).text;
  return `${words(intent.summary)}\n${words(shown)}\n\n${tool} (${level}): ${words(reasons.join('; '))}`;
}

function keep(changes: Map<string, EventOf<'change.applied'>>, change: EventOf<'change.applied'>): void {
  changes.set(change.changeSet, change);
  for (const oldest of changes.keys()) {
    if (changes.size <= maxChanges) break;
    changes.delete(oldest);
  }
}

async function listFiles(look: OpenedProject['look']): Promise<readonly OfferedResource[]> {
  const walked = await look.walk('.');
  if (!walked.ok) return [];
  const files: OfferedResource[] = [];
  for await (const { path, type } of walked.value) {
    if (type !== 'file') continue;
    files.push({ uri: `vise://file/${path.split('/').map(encodeURIComponent).join('/')}`, name: path });
    if (files.length >= maxFiles) break;
  }
  return files;
}

function plainText(text: string | undefined): { readonly mimeType: string; readonly text: string } | undefined {
  return text === undefined ? undefined : { mimeType: 'text/plain', text };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const prompts: readonly (OfferedPrompt & { text(given: Readonly<Record<string, string>>): string })[] = [
  {
    name: 'init',
    description: 'Get to know the project and write down what whoever works on it must know',
    text: () =>
      'Get to know this project: its parts, how it is built, run and tested, and the habits of its code. Look at files before you state anything. Then write AGENTS.md with what somebody new must know to work here, in at most 80 lines. Keep what an existing AGENTS.md says where it still holds.',
  },
  {
    name: 'review',
    description: 'Review changes of the project',
    arguments: [
      {
        name: 'what',
        description: 'What to review: a file, a branch, a commit. Default: what is not committed',
        required: false,
      },
    ],
    text: ({ what }) =>
      `Review ${what?.trim() ? what.trim() : 'the changes that are not committed'}. Read the code around each change. Report faults first, each with file and line, what goes wrong and when; then what is missing in tests; then smaller matters. Change nothing.`,
  },
];
