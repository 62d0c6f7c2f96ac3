import { request } from 'node:http';
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

/** The ids of `GET …/models`, or undefined when nothing there speaks that language. */
function listModels(address: string): Promise<readonly string[] | undefined> {
  return new Promise((resolve) => {
    const asked = request(address, { signal: AbortSignal.timeout(patienceMs), agent: false }, (response) => {
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
    return (data as readonly { readonly id?: unknown }[])
      .map((model) => String(model?.id ?? ''))
      .filter((id) => id !== '');
  } catch {
    return undefined;
  }
}
