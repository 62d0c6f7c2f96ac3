import { isObject, type JsonObject, numberOf, textOf } from './base/json.ts';
import { type Preset, presets } from './base/presets.ts';
import { askJson } from './wire/askJson.ts';

export interface LocalServer {
  readonly preset: Preset;
  readonly models: readonly string[];
}

/**
 * Looks for model servers on this machine by asking the known ports for their models. Only when the person asked for it:
 * no host is contacted unbidden, and never another machine.
 */
export async function detectLocalServers(
  candidates: readonly Preset[] = presets.filter((preset) => preset.local),
): Promise<readonly LocalServer[]> {
  const found = await Promise.all(
    candidates.map(async (preset) => ({ preset, models: await listModels(`${preset.baseUrl}/models`) })),
  );
  return found.filter((server): server is LocalServer => server.models !== undefined);
}

/** The ids that `GET …/models` names, or undefined when nothing there speaks that language. Cloud providers want the key. */
export async function listModels(
  address: string,
  headers: Readonly<Record<string, string>> = {},
  timeoutMs?: number,
): Promise<readonly string[] | undefined> {
  const value = await askJson(address, { headers, timeoutMs });
  if (!isObject(value) || !Array.isArray(value.data)) return undefined;
  return objectsOf(value.data).flatMap(({ id }) => textOf(id) ?? []);
}

/**
 * Tokens of the window with which a server on this machine runs a model, which is less than what the model could. Each
 * of the well-known servers tells it in its own way; `server` is the name of its preset. Undefined where it does not.
 */
export async function localWindow(server: string, root: string, model: string): Promise<number | undefined> {
  const { origin } = new URL(root);
  switch (server) {
    case 'ollama':
      return (
        numberOf(named(await askJson(`${origin}/api/ps`), 'models', model)?.context_length) ??
        askedOfOllama(await askJson(`${origin}/api/show`, { body: { model } }))
      );
    case 'lmstudio':
      return numberOf(named(await askJson(`${origin}/api/v0/models`), 'data', model)?.loaded_context_length);
    case 'llamacpp': {
      const props = await askJson(`${origin}/props`);
      const settings = isObject(props) ? props.default_generation_settings : undefined;
      return isObject(settings) ? numberOf(settings.n_ctx) : undefined;
    }
    default:
      return numberOf(named(await askJson(`${root}/models`), 'data', model)?.max_model_len);
  }
}

/** A model that is not loaded yet runs with what its file asks for (`num_ctx`), where it asks. */
function askedOfOllama(shown: unknown): number | undefined {
  const parameters = isObject(shown) ? textOf(shown.parameters) : undefined;
  const asked = /^num_ctx\s+(\d+)/m.exec(parameters ?? '')?.[1];
  return asked === undefined ? undefined : Number(asked);
}

function named(answer: unknown, list: string, model: string): JsonObject | undefined {
  if (!isObject(answer) || !Array.isArray(answer[list])) return undefined;
  return objectsOf(answer[list]).find(({ id, name, model: own }) => [id, name, own].includes(model));
}

function objectsOf(list: readonly unknown[]): readonly JsonObject[] {
  return list.filter(isObject);
}
