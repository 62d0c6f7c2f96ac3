import { modes } from '../../../shared/model/phase.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { findSession } from './findSession.ts';
import type { Io } from './io.ts';
import { type Parsed, projectOf, textFlag } from './parseFlags.ts';
import type { Started } from './startEngine.ts';

/** What `--resume` names, or with `--continue` the newest session of the project; nothing for a new one. */
export function resumeOf(parsed: Parsed): string | undefined {
  return textFlag(parsed, 'resume') ?? (parsed.flags['continue'] === true ? 'last' : undefined);
}

/** The id of the session that is to be resumed. Errors: those of `findSession` and of the project. */
export async function resumedId(
  engine: Started['engine'],
  parsed: Parsed,
  io: Io,
  resume: string,
): Promise<Result<string>> {
  if (resume !== 'last') return findSession(engine.sessions.list(), resume);
  const project = await engine.project(projectOf(parsed, io));
  return project.ok ? findSession(engine.sessions.list(), 'last', project.value.path) : project;
}

/**
 * A new session, or the one that is to be resumed; what `--mode`, `--provider`, `--model` and `--effort` say of it counts from now on. Errors:
 * CONFIG_INVALID (no model can be asked), SESSION_NOT_FOUND, UNAVAILABLE (it is open elsewhere, or at work), those of the project.
 */
export async function openSession(
  { client, engine }: Started,
  parsed: Parsed,
  io: Io,
  resume: string | undefined,
): Promise<Result<string>> {
  const mode = modes.find((one) => one === textFlag(parsed, 'mode'));
  const effort = textFlag(parsed, 'effort');
  if (resume === undefined) {
    const made = await client.call('session.create', { project: projectOf(parsed, io), mode, effort });
    return made.ok ? ok(made.value.session) : made;
  }
  const opened = await engine.sessions.open(resume);
  if (!opened.ok) return opened;
  const { state } = opened.value.session;
  const provider = textFlag(parsed, 'provider') ?? state.provider;
  // The model of one provider means nothing to another.
  const model = textFlag(parsed, 'model') ?? (provider === state.provider ? state.model : '');
  const given = { mode: mode ?? state.mode, provider, model, effort: effort ?? state.effort };
  const changed = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== state[name as keyof typeof given]),
  );
  if (Object.keys(changed).length === 0) return ok(resume);
  const configured = await client.call('session.configure', { session: resume, ...changed });
  return configured.ok ? ok(resume) : configured;
}
