import type { McpServerView } from '../../../shared/contract/serverApi.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ServerView } from '../bridge/mcp/client.ts';
import { remoteLevel } from '../bridge/mcp/remoteTool.ts';
import type { ServerTokens } from '../bridge/mcp/serverTokens.ts';
import type { Handlers } from '../serve.ts';
import { type HandlerDeps, withProject } from './handlerDeps.ts';

type Methods = Extract<keyof Handlers, `server.${string}`>;

const maxAbout = 500;

export function serverHandlers(deps: HandlerDeps): Pick<Handlers, Methods> {
  const { config, workbench, tokens, redact } = deps;
  /** Errors: VALIDATION_ERROR, those of opening the project, and of `act`. */
  const withServer = <T>(
    { project, name }: { readonly project: string; readonly name: string },
    act: (view: ServerView) => Result<T> | Promise<Result<T>>,
  ): Promise<Result<T>> =>
    withProject(deps, project, async ({ bridge: { servers } }) => {
      await servers.begin();
      const view = servers.views.find(({ entry }) => entry.name === name);
      return view ? act(view) : fail('VALIDATION_ERROR', `There is no MCP server ${name}.`);
    });
  return {
    'server.list': ({ project }) =>
      withProject(deps, project, async ({ bridge: { servers } }) => {
        await servers.begin();
        const views = servers.views.map((view) => wireView(view, tokens, redact));
        return ok({ servers: views.toSorted((a, b) => a.name.localeCompare(b.name)), faults: servers.faults });
      }),
    'server.log': (given) => withServer(given, ({ link }) => ok({ lines: link?.log.lines ?? [] })),
    'server.restart': (given) =>
      withServer(given, ({ entry, link }) => {
        if (!link) return fail('VALIDATION_ERROR', `The MCP server ${entry.name} may not be started.`);
        void link.restart();
        return ok({});
      }),
    async 'server.switch'({ name, on }) {
      const { settings } = config;
      const others = settings.bridge.off.filter((other) => other !== name);
      const bridge = { ...settings.bridge, off: on ? others : [...others, name] };
      const saved = config.update((raw) => ({ ...raw, settings: { ...settings, bridge } }));
      if (!saved.ok) return saved;
      workbench.emit({ type: 'settings.changed', settings: config.settings });
      deps.settingsChanged();
      return ok({});
    },
    'server.signIn': (given) =>
      withServer(given, async ({ entry, link }) => {
        if (!link) return fail('VALIDATION_ERROR', `The MCP server ${entry.name} may not be started.`);
        const page = await link.signIn();
        return page.ok ? ok({ page: page.value }) : page;
      }),
    'server.signOut': (given) =>
      withServer(given, ({ entry: { name, connection } }) => {
        if (connection.kind !== 'http')
          return fail('VALIDATION_ERROR', `Nobody signs in to ${name}: it is a program of this computer.`);
        tokens.forget(connection.url);
        return ok({});
      }),
  };
}

function wireView(
  { entry, state, link }: ServerView,
  tokens: ServerTokens,
  redact: HandlerDeps['redact'],
): McpServerView {
  const { name, origin, connection } = entry;
  const offered = state.kind === 'ready' ? state : { tools: [], prompts: [], resources: [] };
  const about = (text: string | undefined): string => (text ?? '').slice(0, maxAbout);
  const reason = 'reason' in state && state.reason !== undefined ? redact(state.reason) : undefined;
  return {
    name,
    origin,
    place:
      connection.kind === 'http' ? plainAddress(connection.url) : [connection.command, ...connection.args].join(' '),
    state: state.kind,
    reason,
    retryInMs: state.kind === 'waiting' ? state.retryInMs : undefined,
    signedIn: link !== undefined && connection.kind === 'http' && tokens.of(connection.url) !== undefined,
    signInPage: state.kind === 'signedOut' ? state.page : undefined,
    tools: offered.tools.map((tool) => ({
      name: tool.name,
      about: about(tool.description ?? tool.title),
      level: remoteLevel(tool.annotations),
    })),
    prompts: offered.prompts.map((prompt) => ({ name: prompt.name, about: about(prompt.description ?? prompt.title) })),
    resources: offered.resources.map((one) => ({ name: one.uri, about: about(one.title ?? one.name) })),
  };
}

/** Names, passwords and keys may stand in an address. */
function plainAddress(address: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}
