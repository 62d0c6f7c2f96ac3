const priority = [
  'Makefile',
  'Dockerfile',
  'docker-compose*',
  'README*',
  'LICENSE*',
  'CHANGELOG*',
  'CONTRIBUTING*',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'requirements*.txt',
  'package.json',
  'tsconfig.json',
  'go.mod',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'CMakeLists.txt',
  'main.*',
  'app.*',
  'index.*',
  'cli.*',
  'server.*',
  'run.*',
  '*.yaml',
  '*.yml',
  '*.toml',
  '*.cfg',
  '*.ini',
  '*.conf',
  '*.env*',
  '.gitignore',
  '.editorconfig',
] as const;

/** Compiled, logs, locks, minified, maps, images, fonts, media, archives, office files: just those the original names. */
const low = [
  ...['__pycache__', '*.pyc', '*.pyo', '*.so', '*.dll', '*.dylib', '*.log'],
  ...['*.lock', 'package-lock.json', 'go.sum'],
  ...['*.min.js', '*.min.css', '*.map'],
  ...['*.png', '*.jpg', '*.jpeg', '*.gif', '*.ico', '*.svg'],
  ...['*.woff', '*.woff2', '*.ttf', '*.eot'],
  ...['*.mp3', '*.mp4', '*.avi', '*.mov'],
  ...['*.zip', '*.tar', '*.gz', '*.bz2', '*.7z'],
  ...['*.pdf', '*.doc', '*.docx', '*.xls', '*.xlsx'],
] as const;

const noise = new Set([
  'logs',
  'node_modules',
  '__pycache__',
  '.git',
  '.svn',
  'dist',
  'build',
  'target',
  '.next',
  '.nuxt',
  'vendor',
  'bower_components',
  '.cache',
  '.vscode',
  '.idea',
  'coverage',
  '.pytest_cache',
  '.mypy_cache',
  '.tox',
  'venv',
  '.venv',
  'env',
  '.env',
  'site-packages',
]);

/**
 * How late a file is read when PROJECT.md is written: lower is earlier. `path`
 * is relative; backslashes count as slashes, as in the original. `sizeBytes` is a whole number.
 */
export function scoreFile(path: string, sizeBytes: number): number {
  const folders = path.replaceAll('\\', '/').split('/');
  const name = folders.pop() ?? '';
  let score = Math.max(sizeBytes, 1);
  if (priority.some((pattern) => matches(pattern, name))) score = Math.max(Math.floor(score / 3), 1);
  if (low.some((pattern) => matches(pattern, name))) score = score * 30 + 100_000;
  if (score < 100_000 && folders.some((folder) => noise.has(folder))) score = Math.max(score * 50, 50_000);
  return folders.length === 0 ? Math.floor((score * 2) / 3) : score;
}

/** The original's own rule: `*.ext` is an ending, `text*` a beginning, everything else the whole name; so `*.env*` fits nothing. */
function matches(pattern: string, name: string): boolean {
  if (pattern.startsWith('*.') && name.endsWith(pattern.slice(1))) return true;
  if (pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1))) return true;
  return name === pattern;
}
