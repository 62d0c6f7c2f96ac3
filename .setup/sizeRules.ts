import { isProduct, type Source } from './layerRules.ts';
import { readModule } from './readModule.ts';

/** A function or a file that is longer holds two ideas. */
const maxFunctionLines = 110;
const maxFileLines = 300;

/** What is too large or too small in these sources, a line each. Tests and what they share are left out. */
export interface SizeReport {
  /** Rooms of the engine and floors of the renderer that consist of one file. */
  readonly singleFiles: readonly string[];
  readonly longFunctions: readonly string[];
  /** Files of more than 300 lines that do not say in their first lines why: `Long because …`. */
  readonly longFiles: readonly string[];
}

/** The room or floor of a file: the folder below the engine or the renderer. */
const roomFolder = ({ path }: Source): string | undefined =>
  /^(electron\/engine|renderer)\/[^/]+(?=\/)/.exec(path)?.[0];

function singleFiles(sources: readonly Source[]): readonly string[] {
  const folders = sources.flatMap((source) => roomFolder(source) ?? []);
  return [...new Set(folders)].filter((folder) => folders.indexOf(folder) === folders.lastIndexOf(folder));
}

const longFunctions = ({ path, text }: Source): readonly string[] =>
  readModule(path, text)
    .functions.filter(({ lines }) => lines > maxFunctionLines)
    .map(({ name, lines }) => `${path} ${name} (${lines} lines)`);

function isLongWithoutReason({ text }: Source): boolean {
  const lines = text.split('\n');
  return lines.length - 1 > maxFileLines && !lines.slice(0, 12).some((line) => line.includes('Long because '));
}

/** Holds sources against the sizes that a reader can hold. Pure; throws where a source cannot be parsed. */
export function checkSizes(sources: readonly Source[]): SizeReport {
  const product = sources.filter(isProduct);
  return {
    singleFiles: singleFiles(product),
    longFunctions: product.flatMap(longFunctions),
    longFiles: product.filter(isLongWithoutReason).map(({ path }) => path),
  };
}
