import type { Client, Prompt, Tool as RemoteTool, Resource } from '@modelcontextprotocol/client';

/** What a server has, as it was listed last. */
export interface Offered {
  readonly tools: readonly RemoteTool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
}

const maxTools = 500;
const maxTexts = 200;
const maxUri = 1_000;
/** Characters of the schema of one tool: all of it goes to the model. */
const maxSchemaChars = 50_000;
const maxNameChars = 200;

/** Asks a server for all that it offers, and leaves out what is beyond bearing. Throws what the server answers instead of tools. */
export async function listOffered(client: Client): Promise<Offered> {
  const has = client.getServerCapabilities();
  const [tools, prompts, resources] = await Promise.all([
    listTools(client),
    // A server that announces what it then does not list is one without.
    has?.prompts
      ? client.listPrompts().then(
          (listed) => listed.prompts,
          () => [],
        )
      : [],
    has?.resources
      ? client.listResources().then(
          (listed) => listed.resources,
          () => [],
        )
      : [],
  ]);
  return {
    tools,
    prompts: prompts.slice(0, maxTexts).filter(({ name }) => name.length <= maxNameChars),
    resources: resources.slice(0, maxTexts).filter(({ uri }) => uri.length <= maxUri),
  };
}

async function listTools(client: Client): Promise<readonly RemoteTool[]> {
  const { tools } = await client.listTools();
  const isBearable = ({ name, inputSchema }: RemoteTool): boolean =>
    name.length <= maxNameChars && JSON.stringify(inputSchema).length <= maxSchemaChars;
  return tools.slice(0, maxTools).filter(isBearable);
}
