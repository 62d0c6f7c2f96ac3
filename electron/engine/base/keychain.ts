import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fail, ok, type Result } from '../../../shared/result.ts';

/**
 * The system's keychain, reached through the program that the system brings for it: window and command line find the
 * same entry, whatever program runs them. One entry holds one text of plain characters (base64).
 */
export interface Keychain {
  /** `kept` is what `write` answered. Errors: UNAVAILABLE, with what the program said. */
  read(kept: string): Result<string>;
  /** The same without holding up the process. */
  readLater(kept: string): Promise<Result<string>>;
  /** Answers what must be kept beside the entry to read it again; empty where the entry holds everything. */
  write(text: string): Result<string>;
}

interface Step {
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
}

/** One row a system. A text never stands in the arguments, which every program of the machine can see. */
interface Programs {
  readonly read: (kept: string) => Step;
  readonly write: (text: string) => Step;
  /** `write` prints the sealed text, which is ours to keep. */
  readonly seals?: boolean;
}

/** Loaded where there is a key to read: most starts have none in a keychain. */
const processes = () => process.getBuiltinModule('node:child_process');

/** A locked keychain asks the person for its password. */
const limitMs = 30_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The keychain of this machine; undefined where there is none, and for an instance of its own (`VISE_HOME`), which keeps
 * everything in its folder. `account` tells the entries of several instances apart.
 */
export function findKeychain(account: string, env: Environment, platform = process.platform): Keychain | undefined {
  if (env['VISE_HOME']) return undefined;
  const programs = programsOf(encodeURIComponent(account), env, platform);
  if (!programs) return undefined;
  const answer = (step: Step, code: number | null, out: string, said: string): Result<string> => {
    if (code === 0) return ok(out.trim());
    const why = said.trim().split('\n')[0] || (code === null ? 'no answer' : `exit code ${code}`);
    return fail('UNAVAILABLE', `${step.program}: ${why}`);
  };
  const run = (step: Step): Result<string> => {
    const options = { input: step.input, env, timeout: limitMs, encoding: 'utf8', windowsHide: true } as const;
    const done = processes().spawnSync(step.program, step.args, options);
    return answer(step, done.status, done.stdout ?? '', done.stderr || done.error?.message || '');
  };
  return {
    read: (kept) => run(programs.read(kept)),
    readLater(kept) {
      const step = programs.read(kept);
      return new Promise((resolve) => {
        const child = processes().spawn(step.program, step.args, { env, timeout: limitMs, windowsHide: true });
        let [out, said] = ['', ''];
        child.stdout.setEncoding('utf8').on('data', (piece: string) => (out += piece));
        child.stderr.setEncoding('utf8').on('data', (piece: string) => (said += piece));
        child.on('error', ({ message }) => resolve(answer(step, null, '', message)));
        child.on('close', (code) => resolve(answer(step, code, out, said)));
        child.stdin.on('error', () => undefined).end(step.input); // one that reads nothing has ended: its code tells
      });
    },
    write(text) {
      const written = run(programs.write(text));
      return written.ok && programs.seals !== true ? ok('') : written;
    },
  };
}

function programsOf(account: string, env: Environment, platform: NodeJS.Platform): Programs | undefined {
  switch (platform) {
    case 'darwin': {
      const program = '/usr/bin/security';
      return {
        read: () => ({ program, args: ['find-generic-password', '-s', 'Vise', '-a', account, '-w'], input: '' }),
        write: (text) => ({
          program,
          args: ['-i'],
          input: `add-generic-password -U -s "Vise" -a "${account}" -w "${text}"\n`,
        }),
      };
    }
    case 'win32': {
      // Sealed for this account of this machine (DPAPI); what is sealed is kept by us.
      const root = env['SystemRoot'] ?? 'C:\\Windows';
      const program = join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
      const step = (script: string, input: string): Step => ({
        program,
        args: ['-NoProfile', '-NonInteractive', '-Command', script],
        input,
      });
      const given = '$t = [Console]::In.ReadToEnd().Trim();';
      const unseal =
        '$m = [Runtime.InteropServices.Marshal]; [Console]::Out.Write($m::PtrToStringBSTR($m::SecureStringToBSTR((ConvertTo-SecureString $t))))';
      const seal = '[Console]::Out.Write((ConvertFrom-SecureString (ConvertTo-SecureString $t -AsPlainText -Force)))';
      return {
        read: (kept) => step(`${given} ${unseal}`, kept),
        write: (text) => step(`${given} ${seal}`, text),
        seals: true,
      };
    }
    default: {
      // Without a bus of the session nobody answers there: a server, a container, a job.
      const bus = env['DBUS_SESSION_BUS_ADDRESS'] || (env['XDG_RUNTIME_DIR'] && join(env['XDG_RUNTIME_DIR'], 'bus'));
      if (!bus || (bus.startsWith('/') && !existsSync(bus))) return undefined;
      const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
      const program = folders.map((folder) => join(folder, 'secret-tool')).find((path) => existsSync(path));
      if (program === undefined) return undefined;
      const entry = ['service', 'vise', 'account', account];
      return {
        read: () => ({ program, args: ['lookup', ...entry], input: '' }),
        write: (text) => ({ program, args: ['store', '--label=Vise', ...entry], input: text }),
      };
    }
  }
}
