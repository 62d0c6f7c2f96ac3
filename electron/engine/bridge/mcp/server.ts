import type {
  CallToolResult,
  ContentBlock,
  InputRequiredResult,
  Server,
  ServerContext,
  Transport,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Disposable } from '../../base/disposer.ts';
import { describeError } from '../../base/log.ts';
import { compactSchema } from '../../tools/frame/tool.ts';
import { plainLine } from '../cliSpec/specInstructions.ts';
import { HeldCalls } from './heldCalls.ts';
import type { CallAnswer, Consent, ServerPort } from './serverPort.ts';

export interface McpServerHandle {
  close(): Promise<void>;
}

/** Under this key the question of a call goes out and its answer comes back. */
const questionKey = 'approval';
/** A client gets at most this much text of one result or resource. */
const maxText = 1_000_000;
/** The newest characters of a command's output that one notification tells. */
const maxProgress = 2_000;
const maxName = 100;

/**
 * Serves the port's tools, resources and prompts on stdio (or the given transport), in both generations of the protocol.
 * stdout belongs to the protocol from here on.
 */
export async function serveMcp(
  port: ServerPort,
  options: { readonly transport?: Transport; onError?(error: Error): void } = {},
): Promise<McpServerHandle> {
  const sdk = await import('@modelcontextprotocol/server');
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const open = new Set<Disposable>();
  const handle = serveStdio(() => createServer(sdk, port, open), {
    ...(options.transport ? { transport: options.transport } : {}),
    onerror: (error) => options.onError?.(error),
  });
  return {
    async close() {
      for (const part of open) part.dispose();
      open.clear();
      await handle.close();
    },
  };
}

type Sdk = typeof import('@modelcontextprotocol/server');

function createServer(sdk: Sdk, port: ServerPort, open: Set<Disposable>): Server {
  // The low-level server takes JSON Schemas as they are; our own tools check their input.
  const server = new sdk.Server(
    { name: 'vise', version: port.version },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
      instructions: port.instructions(),
    },
  );
  const held = new HeldCalls();
  const changes = port.onToolsChanged(() => {
    server.sendToolListChanged().catch(() => undefined); // nobody listens any more
  });
  const parts: Disposable = {
    dispose() {
      changes.dispose();
      held.dispose();
    },
  };
  open.add(parts);
  server.onclose = () => {
    open.delete(parts);
    parts.dispose();
  };
  serveTools(sdk, server, port, held);
  serveResources(sdk, server, port);
  servePrompts(sdk, server, port);
  return server;
}

function serveTools(sdk: Sdk, server: Server, port: ServerPort, held: HeldCalls): void {
  server.setRequestHandler('tools/list', async () => ({
    tools: (await port.listTools()).map(({ name, description, inputSchema, output, annotations }) => ({
      name,
      description,
      inputSchema: { ...inputSchema, type: 'object' as const },
      outputSchema: output && envelopeSchema(output()),
      annotations,
    })),
  }));
  server.setRequestHandler('tools/call', async (request, context): Promise<CallToolResult | InputRequiredResult> => {
    const { name, arguments: input = {} } = request.params;
    const progress = progressOf(context);
    const round = {
      signal: context.mcpReq.signal,
      client: clientName(sdk, server, context),
      canAsk: canElicit(sdk, server, context),
      onProgress: progress.tell,
    };
    const ticket = context.mcpReq.requestState<string>();
    const step =
      typeof ticket === 'string'
        ? held.resume(ticket, name, consentOf(context.mcpReq.inputResponses), round)
        : held.start(name, (given) => port.callTool(name, input, given), round);
    if (step === undefined)
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'This question is no longer open');
    const outcome = await step;
    await progress.sent();
    if (outcome.kind === 'done') return server.projectCallToolResult(callResult(outcome.answer), undefined);
    return sdk.inputRequired({
      inputRequests: {
        [questionKey]: sdk.inputRequired.elicit({
          message: outcome.question,
          requestedSchema: {
            type: 'object',
            properties: { allow: { type: 'boolean', title: 'Allow this once', default: false } },
            required: ['allow'],
          },
        }),
      },
      requestState: outcome.ticket,
    });
  });
}

/** Its own word, for the person who is asked; the newer protocol says it with each request. */
function clientName(sdk: Sdk, server: Server, context: ServerContext): string {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const info = envelope[sdk.CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  if (typeof info !== 'object' || info === null || !('name' in info)) return '';
  const version = 'version' in info && typeof info.version === 'string' ? ` ${info.version}` : '';
  return plainLine(`${String(info.name)}${version}`).slice(0, maxName);
}

/** Whether the client said that it can ask its user; the newer protocol says so with each request. */
function canElicit(sdk: Sdk, server: Server, context: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const own = envelope[sdk.CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return typeof own === 'object' && own !== null && 'elicitation' in own && own.elicitation !== undefined;
}

/** Only a plain yes allows; the response comes from the client and may have any shape. */
function consentOf(responses: Readonly<Record<string, unknown>> | undefined): Consent {
  const response = responses?.[questionKey];
  if (typeof response !== 'object' || response === null) return 'deny';
  if (!('action' in response) || response.action !== 'accept' || !('content' in response)) return 'deny';
  const { content } = response;
  return typeof content === 'object' && content !== null && 'allow' in content && content.allow === true
    ? 'allow'
    : 'deny';
}

interface ProgressOut {
  tell(text: string): void;
  /** Ends when all that was told is on its way: what comes after the answer is dropped by clients. */
  sent(): Promise<void>;
}

/** One notification at a time, the newest text next: a flooding command must not fill the pipe to the client. */
function progressOf(context: ServerContext): ProgressOut {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { tell: () => undefined, sent: () => Promise.resolve() };
  let progress = 0;
  let next: string | undefined;
  let sending: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    while (next !== undefined) {
      const message = next;
      next = undefined;
      progress += 1; // the protocol asks for growing numbers; how far a command is nobody knows
      const params = { progressToken, progress, message };
      await context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    }
    sending = undefined;
  };
  return {
    tell(text) {
      next = ((next ?? '') + text).slice(-maxProgress);
      sending ??= drain();
    },
    sent: async () => sending,
  };
}

/** The envelope as text and as data; `isError` says the same as `success`. */
function callResult({ result, images = [], blocks }: CallAnswer): CallToolResult {
  const texts = blocks ?? [JSON.stringify(result)];
  const content: ContentBlock[] = [
    ...texts.map((text) => ({ type: 'text' as const, text: text.slice(0, maxText) })),
    ...images.map(({ data, mediaType }) => ({ type: 'image' as const, data, mimeType: mediaType })),
  ];
  // What a foreign program says has no bound of its own, and no schema that a client would hold it to.
  const fits = blocks === undefined || (texts[0]?.length ?? 0) <= maxText;
  return { content, isError: !result.success, structuredContent: fits ? { ...result } : undefined };
}

const schemas = new WeakMap<z.ZodType, { readonly type: 'object' }>();

/** The JSON Schema of the envelope with such data in it, made once a tool. */
function envelopeSchema(data: z.ZodType): { readonly type: 'object' } {
  const known = schemas.get(data);
  if (known) return known;
  const envelope = z.object({
    success: z.boolean(),
    data: data.optional(),
    error: z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() }).optional(),
    warnings: z.array(z.string()).optional(),
  });
  const made = { ...compactSchema(z.toJSONSchema(envelope)), type: 'object' as const };
  schemas.set(data, made);
  return made;
}

function serveResources(sdk: Sdk, server: Server, port: ServerPort): void {
  server.setRequestHandler('resources/list', async () => ({
    resources: (await port.listResources()).map((resource) => ({ ...resource })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      { uriTemplate: 'vise://file/{+path}', name: 'Project file' },
      { uriTemplate: 'vise://task/{id}/log', name: 'Log of a task' },
      { uriTemplate: 'vise://change/{id}', name: 'Proposed or applied change' },
    ],
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const found = await port.readResource(uri).catch((error: unknown) => {
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, describeError(error));
    });
    if (found === undefined) throw new sdk.ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: found.mimeType, text: found.text.slice(0, maxText) }] };
  });
}

function servePrompts(sdk: Sdk, server: Server, port: ServerPort): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: port.listPrompts().map(({ name, description, arguments: given }) => ({
      name,
      description,
      ...(given ? { arguments: given.map((argument) => ({ ...argument })) } : {}),
    })),
  }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const text = await port.getPrompt(params.name, params.arguments ?? {});
    if (text === undefined)
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `Unknown prompt ${params.name}`);
    return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
  });
}
