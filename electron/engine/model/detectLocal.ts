import { type Preset, presets } from './presets.ts';

export interface LocalServer {
  readonly preset: Preset;
  readonly models: readonly string[];
}

/** A server on this machine answers within this time or is not there. */
const patienceMs = 800;
const maxBytes = 1024 * 1024;

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

/**
 * The ids that `GET …/models` names, or undefined when nothing there speaks that language. Cloud providers want the key.
 * A redirect is not followed: the key must not travel.
 */
export async function listModels(
  address: string,
  apiKey = '',
  timeoutMs = patienceMs,
): Promise<readonly string[] | undefined> {
  if (!URL.canParse(address)) return undefined;
  const { request } = address.startsWith('https:') ? await import('node:https') : await import('node:http');
  return await new Promise((resolve) => {
    const headers = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
    const options = { signal: AbortSignal.timeout(timeoutMs), agent: false, headers } as const;
    const asked = request(address, options, (response) => {
      const pieces: Buffer[] = [];
      let size = 0;
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        size += piece.length;
        if (size > maxBytes) asked.destroy();
      });
      response.on('end', () =>
        resolve(response.statusCode === 200 ? idsOf(Buffer.concat(pieces).toString()) : undefined),
      );
      response.on('error', () => resolve(undefined));
    });
    asked.on('error', () => resolve(undefined));
    asked.end();
  });
}

function idsOf(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const data = typeof value === 'object' && value !== null ? (value as { data?: unknown }).data : undefined;
    if (!Array.isArray(data)) return undefined;
    return (data as readonly ({ readonly id?: unknown } | null)[])
      .map((model) => model?.id)
      .filter((id): id is string => typeof id === 'string' && id !== '');
  } catch {
    return undefined;
  }
}
