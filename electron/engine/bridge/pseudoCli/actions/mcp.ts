import { fail, ok } from '../../../../../shared/result.ts';
import type { Tool } from '../../../tools/frame/tool.ts';
import { remoteToolName } from '../../mcp/remoteTool.ts';
import { type Action, params } from '../action.ts';
import { callTool, fields, listOf, textOf } from './callTool.ts';

interface Listed {
  readonly name: string;
  readonly server: string;
  readonly description: string;
}

/** Actions over the tools of MCP servers, as they are now. */
export function mcpActions(tools: readonly Tool[]): readonly Action[] {
  const remote = tools.filter(({ category }) => category === 'mcp').map(listed);
  const servers = [...new Set(remote.map(({ server }) => server))].toSorted();
  const of = (names: readonly unknown[]): readonly Listed[] => remote.filter(({ server }) => names.includes(server));
  const mcp = (action: string, about: string, flags: string, run: Action['run']): Action => ({
    module: 'mcp',
    action,
    about,
    params: params(flags),
    run,
  });
  const listServers: Action['run'] = () => Promise.resolve(ok({ servers, count: servers.length }));
  return [
    mcp('servers', 'The MCP servers that are connected.', '', listServers),
    mcp('list', 'The MCP servers that are connected.', '', listServers),
    mcp('all-tools', 'The tools of all MCP servers.', '', () =>
      Promise.resolve(ok({ tools: remote, count: remote.length })),
    ),
    mcp('tools', 'The tools of some MCP servers.', 'servers:json', (given) => {
      const { servers: names } = given;
      if (names !== undefined && !Array.isArray(names))
        return Promise.resolve(fail('VALIDATION_ERROR', '--servers must be an array of names'));
      const found = names === undefined ? remote : of(listOf(names));
      return Promise.resolve(ok({ tools: found, count: found.length }));
    }),
    mcp('execute', 'Call a tool of an MCP server.', 'toolbox* tool* params*:json', (given, ports) => {
      const [toolbox, tool] = [textOf(given, 'toolbox'), textOf(given, 'tool')];
      const name = [remoteToolName(toolbox, tool), tool].find((one) =>
        remote.some((known) => known.name === one && known.server === toolbox),
      );
      if (name === undefined)
        return Promise.resolve(
          fail('TOOL_NOT_FOUND', `No tool ${tool} of the MCP server ${toolbox}; mcp all-tools lists them`),
        );
      return callTool(ports, name, fields(given['params']));
    }),
    mcp('configure', 'Add or replace an MCP server of the user.', 'name* config*:json', (given, ports) =>
      callTool(ports, 'mcp_configure', { name: textOf(given, 'name'), config: given['config'] }),
    ),
    {
      module: 'search',
      action: 'mcp-tool',
      about: 'Find tools of MCP servers by words; each tag must occur too.',
      params: params('query* tags:json'),
      run: (given) => {
        const words = [...textOf(given, 'query').split(/\s+/), ...listOf(given['tags'])].map((word) =>
          String(word).toLowerCase(),
        );
        const found = remote.filter((tool) =>
          words.every((word) => `${tool.name} ${tool.server} ${tool.description}`.toLowerCase().includes(word)),
        );
        return Promise.resolve(ok({ tools: found, count: found.length }));
      },
    },
  ];
}

/** The source of a remote tool is `mcp <server> (<origin>)`. */
function listed({ name, about, source }: Tool): Listed {
  return { name, server: /^mcp (.*) \([a-z]+\)$/.exec(source)?.[1] ?? source, description: about };
}
